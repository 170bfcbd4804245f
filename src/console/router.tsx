// The pages and their addresses. What a list shows is in its address, so that a filtered list is a link. Each page is a chunk of
// its own.
import type { QueryClient } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { LoginPage } from "./pages/login/login-page.tsx";
import { NotFound } from "./parts/loaded.tsx";
import { PageFault } from "./parts/notice.tsx";
import {
  readScorecardFilter,
  readSopFilter,
  readSopView,
  readTaskFilter,
  readTaskView,
  readTeachSearch,
  text,
} from "./search.ts";
import { session } from "./session.ts";
import { Shell } from "./shell/shell.tsx";

const root = createRootRoute({ notFoundComponent: NotFound });

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: ({ to }: Record<string, unknown>): { to?: string | undefined } => ({ to: text(to) }),
  component: LoginPage,
});

const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  component: Shell,
  beforeLoad: ({ location }) => {
    if (session.get() === null) throw redirect({ to: "/login", search: { to: location.href }, replace: true });
  },
});

const inbox = createRoute({
  getParentRoute: () => inside,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/inbox/inbox-page.tsx"), "InboxPage"),
});

const approval = createRoute({
  getParentRoute: () => inside,
  path: "/approvals/$approval_id",
  component: lazyRouteComponent(() => import("./pages/approval/approval-page.tsx"), "ApprovalPage"),
});

const tasks = createRoute({
  getParentRoute: () => inside,
  path: "/tasks",
  validateSearch: readTaskFilter,
  component: lazyRouteComponent(() => import("./pages/tasks/tasks-page.tsx"), "TasksPage"),
});

const task = createRoute({
  getParentRoute: () => inside,
  path: "/tasks/$task_id",
  validateSearch: readTaskView,
  component: lazyRouteComponent(() => import("./pages/task/task-page.tsx"), "TaskPage"),
});

const graph = createRoute({
  getParentRoute: () => inside,
  path: "/graph",
  component: lazyRouteComponent(() => import("./pages/graph/graph-page.tsx"), "GraphPage"),
});

const sops = createRoute({
  getParentRoute: () => inside,
  path: "/sops",
  validateSearch: readSopFilter,
  component: lazyRouteComponent(() => import("./pages/sops/sops-page.tsx"), "SopsPage"),
});

const sop = createRoute({
  getParentRoute: () => inside,
  path: "/sops/$sop_id",
  validateSearch: readSopView,
  component: lazyRouteComponent(() => import("./pages/sop/sop-page.tsx"), "SopPage"),
});

const teach = createRoute({
  getParentRoute: () => inside,
  path: "/teach",
  validateSearch: readTeachSearch,
  component: lazyRouteComponent(() => import("./pages/teach/teach-page.tsx"), "TeachPage"),
});

const scorecard = createRoute({
  getParentRoute: () => inside,
  path: "/scorecard",
  validateSearch: readScorecardFilter,
  component: lazyRouteComponent(() => import("./pages/scorecard/scorecard-page.tsx"), "ScorecardPage"),
});

const servers = createRoute({
  getParentRoute: () => inside,
  path: "/servers",
  component: lazyRouteComponent(() => import("./pages/servers/servers-page.tsx"), "ServersPage"),
});

const routeTree = root.addChildren([
  login,
  inside.addChildren([inbox, approval, tasks, task, graph, sops, sop, teach, scorecard, servers]),
]);

export const createConsoleRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    basepath: "/console",
    context: { queries },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: PageFault,
    scrollRestoration: true,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
