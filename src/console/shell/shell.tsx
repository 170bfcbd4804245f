// What is around every page: navigation with what waits, the state of the connection, keys, and the session.
import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import type { LiveState } from "../live/event-source.ts";
import { useSignal } from "../live/signal.ts";
import { followUpdates, liveState } from "../live/updates.ts";
import { useOperation } from "../live/use-operation.ts";
import { usePutOff } from "../pages/inbox/put-off.ts";
import { FrozenBar } from "../pages/servers/freezes.tsx";
import { Printable } from "../parts/code.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { waitingCount } from "../parts/hooks.ts";
import { Icon, type IconName, iconWith, Mark } from "../parts/icon.tsx";
import { useKeys } from "../parts/use-keys.ts";
import { useNarrow } from "../parts/use-window-width.ts";
import { logOut } from "../request.ts";
import { session } from "../session.ts";

export function Shell() {
  const queries = useQueryClient();
  const router = useRouter();
  const [help, setHelp] = useState(false);
  const known = useSignal(session);
  const inbox = useOperation("list_inbox", { limit: 500 });
  const items = inbox.data?.items ?? [];
  const { isPutOff } = usePutOff(items);
  const waiting = items.filter((item) => !isPutOff(item)).length;
  const is_narrow = useNarrow();
  const foot = <SessionFoot live={useSignal(liveState)} onHelp={() => setHelp(true)} />;

  useEffect(() => followUpdates(queries), [queries]);
  useEffect(() => waitingCount.set(waiting), [waiting]);
  useBadge(waiting);
  useEffect(() => {
    const href = router.latestLocation.href;
    // The shell is still there while the login is on its way.
    if (known === null && !href.startsWith("/login"))
      void router.navigate({ to: "/login", search: { to: href }, replace: true });
  }, [known, router]);
  useKeys({
    "g i": () => void router.navigate({ to: "/" }),
    "g t": () => void router.navigate({ to: "/tasks" }),
    "g s": () => void router.navigate({ to: "/sops" }),
    "g n": () => void router.navigate({ to: "/teach" }),
    "g p": () => void router.navigate({ to: "/graph" }),
    "g c": () => void router.navigate({ to: "/scorecard" }),
    "g v": () => void router.navigate({ to: "/servers" }),
    "?": () => setHelp(true),
  });

  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <Rail waiting={waiting}>{!is_narrow && foot}</Rail>
      <div>
        <FrozenBar frozen={inbox.data?.frozen ?? []} />
        <main id="main" className="page">
          <Outlet />
        </main>
        {is_narrow && foot}
      </div>
      {help && <KeyHelp onClose={() => setHelp(false)} />}
    </div>
  );
}

// The state of the connection, who is logged in where, and the way out: below the navigation, and below the page on a phone.

const LIVE: Readonly<Record<LiveState, string>> = {
  connecting: "Connecting",
  live: "Live",
  broken: "Connection lost, trying again",
};

function SessionFoot({ live, onHelp }: { readonly live: LiveState; readonly onHelp: () => void }) {
  const known = useSignal(session);
  return (
    <div className="session-foot">
      <span className="live" data-state={live} role="status">
        {LIVE[live]}
      </span>
      <span>
        <Printable text={`${known?.name ?? "No name"} on ${known?.server.name}`} />
      </span>
      <span className="row">
        <button type="button" className="button quiet small" onClick={onHelp}>
          <Icon name="keys" /> Keys
        </button>
        <button type="button" className="button quiet small" onClick={() => void logOut()}>
          <Icon name="out" /> Log out
        </button>
      </span>
    </div>
  );
}

// The navigation: a rail beside the page, and a bar below it on a phone.

const PAGES = [
  { to: "/", label: "Inbox", icon: "inbox" },
  { to: "/tasks", label: "Tasks", icon: "tasks" },
  { to: "/sops", label: "Procedures", icon: "sops" },
  { to: "/teach", label: "Teach", icon: "teach" },
  { to: "/graph", label: "Pipeline", icon: "graph" },
  { to: "/scorecard", label: "Scorecard", icon: "scorecard" },
  { to: "/servers", label: "Servers", icon: "servers" },
] as const satisfies readonly { readonly to: string; readonly label: string; readonly icon: IconName }[];

type Props = { readonly waiting: number; readonly children: ReactNode };

function Rail({ waiting, children }: Props) {
  return (
    <nav className="rail" aria-label="Pages">
      <Link to="/" className="brand">
        <Mark /> orch
      </Link>
      {PAGES.map(({ to, label, icon }) => (
        <Link key={to} to={to} className="nav-link" activeOptions={{ exact: to === "/", includeSearch: false }}>
          <Icon name={icon} />
          {label}
          {to === "/" && waiting > 0 && (
            <span className="nav-count">
              {waiting}
              <span className="unseen"> waiting</span>
            </span>
          )}
        </Link>
      ))}
      {children}
    </nav>
  );
}

// The keys of the console.

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["g", "i"], "Inbox"],
  [["g", "t"], "Tasks"],
  [["g", "s"], "Procedures"],
  [["g", "n"], "Teach a new procedure"],
  [["g", "p"], "Pipeline"],
  [["g", "c"], "Scorecard"],
  [["g", "v"], "Servers"],
  [["j"], "Next row of the lists on a page"],
  [["k"], "The row before"],
  [["Enter"], "Open the row"],
  [["/"], "Filter, where a list has a filter"],
  [["f"], "The first step of a task that failed"],
  [["a"], "Approve what is open, after a question"],
  [["r"], "Reject what is open, with a reason"],
  [["?"], "These keys"],
];

const KeyHelp = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog onClose={onClose} title="Keys" description="Everything in the console can be reached by keys.">
    <dl className="keys">
      {KEYS.map(([keys, what]) => (
        <div key={what} style={{ display: "contents" }}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <div className="actions">
      <button type="button" className="button" onClick={onClose}>
        Close
      </button>
    </div>
  </Dialog>
);

// The icon of the tab, with the number of what waits.

function useBadge(waiting: number): void {
  const href = iconWith(waiting);
  useEffect(() => {
    document.querySelector<HTMLLinkElement>("link[rel=icon]")?.setAttribute("href", href);
  }, [href]);
}
