// Tasks of every kind. Their commands write one line per run, so that the runs of a step can be counted.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Step } from "../../../src/domain/step.ts";
import { check, cmd, contractBody, wait } from "../../support/builders.ts";
import { linesOf } from "../../support/orch-process.ts";
import type { Keeper } from "./keeper.ts";

/** Appends a line to the step's own file. */
const mark = (index: number): string => `echo x >> "$ORCH_TASK_ID.step-${index}"`;

export const runsOf = (data_dir: string, task_id: string, index: number): number =>
  linesOf(join(data_dir, `${task_id}.step-${index}`)).length;

export const begunIn = (data_dir: string, task_id: string): number =>
  linesOf(join(data_dir, `${task_id}.begun`)).length;

export const letGo = (data_dir: string, task_id: string): Promise<void> =>
  writeFile(join(data_dir, `${task_id}.go`), "");

export const triesOf = (data_dir: string, task_id: string): number =>
  linesOf(join(data_dir, `${task_id}.tries`)).length;

export type Scenario = {
  readonly name: string;
  readonly contract: (task_id: string) => ReturnType<typeof contractBody>;
  /** What the supervisor teaches. */
  readonly steps: readonly Step[];
  /** The answer to every approval. */
  readonly decision: "approve" | "reject";
  /** The step that always fails. */
  readonly failsAt: number | null;
  readonly ends: { readonly status: string; readonly reason_code: string };
  /** How often each step runs in spite of kills. A check may run more often. */
  readonly runs: readonly number[];
  /** Whether its success creates a candidate SOP, on which the human decides. */
  readonly promotes: boolean;
  /** What the supervisor does before it submits the task. It does it again after a lost server. */
  readonly prepare?: (keeper: Keeper, task_id: string) => Promise<void>;
  /** Everything that is wrong afterwards, as sentences. */
  readonly findings?: (keeper: Keeper, task_id: string) => Promise<string[]>;
};

export const scenario = (
  given: Partial<Scenario> & Pick<Scenario, "name" | "contract" | "steps" | "runs">,
): Scenario => ({
  decision: "approve",
  failsAt: null,
  ends: { status: "ok", reason_code: "verified" },
  promotes: false,
  ...given,
});

const onItsOwn = (task_id: string) => contractBody({ task_id, target: { service: task_id } });

export const taught = scenario({
  name: "taught",
  contract: onItsOwn,
  steps: [cmd(mark(0)), cmd(mark(1)), wait("30ms"), cmd(mark(3)), check(`${mark(4)}; test -s "$ORCH_TASK_ID.step-3"`)],
  runs: [1, 1, 0, 1, 1],
  promotes: true,
});

export const notPromoted = scenario({
  ...taught,
  name: "not-promoted",
  steps: [cmd(mark(0)), check(mark(1))],
  runs: [1, 1],
  decision: "reject",
});

/** The SOPs that are promoted before the tasks run. */
export const KNOWN = {
  asks: { intent: "restart", target: { service: "known" }, steps: [cmd(mark(0)), cmd(mark(1)), check(mark(2))] },
  edited: { intent: "commit_push", target: { repo: "edited" }, steps: [cmd(mark(0)), check("test -d /")] },
} as const;

const asksFirst = (task_id: string) =>
  contractBody({
    task_id,
    intent: KNOWN.asks.intent,
    target: KNOWN.asks.target,
    delegation_mode: "known_only",
    constraints: { implicit_scope: [], require_approval_for: ["restarting a service"], max_minutes: 1 },
  });

/** What is found out of a check is kept, unless its text names the task. */
const EXAMINED_EACH_TIME = "ORCH_TASK_ID";

/** Its goal is reached before it begins, so nothing may run, whenever the server is killed. */
export const DONE = {
  intent: "deploy",
  target: { service: "done" },
  steps: [cmd(mark(0)), check(`grep -qx reached "$ORCH_TARGET_SERVICE.state" # ${EXAMINED_EACH_TIME}`)],
} as const;

export const reach = (data_dir: string): Promise<void> =>
  writeFile(join(data_dir, `${DONE.target.service}.state`), "reached\n");

export const done = scenario({
  name: "done",
  contract: (task_id) =>
    contractBody({
      task_id,
      intent: DONE.intent,
      target: DONE.target,
      delegation_mode: "known_only",
      success_criteria: [],
      skip_if_done: true,
    }),
  steps: DONE.steps,
  ends: { status: "ok", reason_code: "already_done" },
  runs: [0, 0],
});

export const approved = scenario({ name: "approved", contract: asksFirst, steps: KNOWN.asks.steps, runs: [1, 1, 1] });

export const rejected = scenario({
  ...approved,
  name: "rejected",
  decision: "reject",
  ends: { status: "blocked", reason_code: "approval_rejected" },
  runs: [0, 0, 0],
});

const edits = (task_id: string) => contractBody({ task_id, intent: "update_sop", target: {}, payload: KNOWN.edited });

export const edited = scenario({
  name: "edited",
  contract: edits,
  steps: [],
  runs: [],
  ends: { status: "ok", reason_code: "sop_replaced" },
});

export const notEdited = scenario({
  ...edited,
  name: "not-edited",
  decision: "reject",
  ends: { status: "blocked", reason_code: "approval_rejected" },
});

export const failing = scenario({
  name: "failing",
  contract: onItsOwn,
  steps: [cmd(mark(0)), cmd(`${mark(1)}; exit 3`), check(mark(2))],
  runs: [1, 1, 0],
  failsAt: 1,
  ends: { status: "failed", reason_code: "step_failed" },
});

const TRIES = '"$ORCH_TASK_ID.tries"';

/** Fails at the first try with an error that the model calls transient. */
export const flaky = scenario({
  name: "flaky",
  contract: onItsOwn,
  steps: [
    cmd(
      `echo x >> ${TRIES}; if ! grep -c x ${TRIES} | grep -qx 2; then echo connection refused >&2; exit 7; fi; ${mark(0)}`,
    ),
    cmd(mark(1)),
    check(mark(2)),
  ],
  runs: [1, 1, 1],
  promotes: true,
});

/** Its second step records that it has begun, and ends once the file `go` exists. */
export const slow = scenario({
  name: "slow",
  contract: onItsOwn,
  steps: [
    cmd(mark(0)),
    cmd(`echo x >> "$ORCH_TASK_ID.begun"; until test -e "$ORCH_TASK_ID.go"; do sleep 0.02; done; ${mark(1)}`),
    cmd(mark(2)),
    check(mark(3)),
  ],
  runs: [1, 1, 1, 1],
});
