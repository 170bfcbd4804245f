// What every chapter is given, and the contracts and steps that several of them use.
import type { FlowEngine } from "../../simulators/flow-engine/flow-engine.ts";
import type { Notes } from "./notes.ts";
import type { Server } from "./server.ts";
import type { Site } from "./site.ts";
import type { Story } from "./story.ts";
import type { Supervisor } from "./supervisor.ts";

export type Scene = {
  readonly story: Story;
  readonly supervisor: Supervisor;
  readonly site: Site;
  readonly server: Server;
  readonly notes: Notes;
  readonly engine: FlowEngine;
};

export type Chapter = {
  readonly title: string;
  readonly play: (scene: Scene) => Promise<void>;
};

const AT_HEAD = "the checkout is at the head of main";
export const PUBLISHED = "the published page is the one of the checkout";

export const constraints = (implicit_scope: readonly string[], require_approval_for: readonly string[] = []) => ({
  implicit_scope,
  require_approval_for,
  max_minutes: 1,
});

/** A task contract for the site; by default a deploy that may use three programs and needs no approval. */
export const contract = ({ site }: Scene, task_id: string, over: Record<string, unknown> = {}) => ({
  task_id,
  intent: "deploy",
  target: site.target,
  delegation_mode: "known_only",
  constraints: constraints(["cmd:git", "cmd:cp", "cmd:cmp"]),
  success_criteria: [AT_HEAD, PUBLISHED],
  requested_by: "demo",
  requested_at: new Date().toISOString(),
  wait_seconds: 30,
  ...over,
});

export const cmd = (value: string) => ({ kind: "cmd", value });
export const check = (value: string) => ({ kind: "check", value });

export const PULL = cmd("git pull --quiet --ff-only");
export const PUBLISH = cmd('cp index.html "$ORCH_TARGET_WEB_ROOT/"');
export const CHECK_HEAD = check(
  'head=$(git rev-parse HEAD) && main=$(git ls-remote origin main) && [[ $main = "$head"* ]]',
);
export const CHECK_PAGE = check('cmp index.html "$ORCH_TARGET_WEB_ROOT/index.html"');
