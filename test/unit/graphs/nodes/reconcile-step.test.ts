// The node that runs a reconcile command before a human is asked: when it does, what it records, and what it leaves undecided.
import { expect, test } from "vitest";
import { reconcileStep } from "../../../../graphs/nodes/reconcile-step.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { ReconcileLook, ReconcileRequest } from "../../../../src/domain/run-request.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { progressOf } from "../../../../src/engine/tasks/progress.ts";
import { aContract, aResult, check, cmd, mcpCall } from "../../../support/builders.ts";
import { pinning, pipelineParts, procedureOf, stateOf } from "../../../support/pipeline-parts.ts";

const LOOK: ReconcileLook = { exit_code: 1, timed_out: false, stdout: "", stderr: "", duration_ms: 5, may_run: null };
const STEP: Step = { ...cmd("touch x"), kind: "cmd", reconcile: "test -e x" } as Step;
const started = (attempt = 1): NewEvent => ({ kind: "step_started", body: { index: 0, attempt } });
const claimed = (cleared: boolean): NewEvent => ({
  kind: "taken_up",
  body: { owner: "me", recovery: true, ...(cleared && { cleared: true as const }) },
});
const CLEARED = [started(), claimed(true)];

type Scene = {
  readonly look?: Partial<ReconcileLook> | null;
  readonly step?: Step;
  readonly events?: readonly NewEvent[];
};

async function reconciled({ look = {}, step = STEP, events = CLEARED }: Scene) {
  const parts = pipelineParts();
  const requests: ReconcileRequest[] = [];
  const reconcile = async (request: ReconcileRequest) => {
    requests.push(request);
    return { ...LOOK, ...look };
  };
  const backend = look === null ? parts.backend : { ...parts.backend, reconcile };
  const constraints = { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 };
  const steps = [step, check("test -e x")];
  const contract = await parts.begin(aContract({ constraints }), pinning(procedureOf(steps)), ...events);
  const node = reconcileStep({ ...parts.deps, backendOf: () => backend });
  const facts = await node(stateOf({ contract }));
  const { projection } = await parts.journalOf();
  return {
    facts,
    requests,
    node,
    contract,
    body: projection.steps.reconciliations.at(-1),
    progress: progressOf(projection, steps),
  };
}

test.each([
  ["done", { exit_code: 0 }, { reconciliation: "settled" }, { is: "ready", index: 1 }],
  ["not done", { exit_code: 1 }, { reconciliation: "settled" }, { is: "ready", index: 0, attempt: 2 }],
  ["neither", { exit_code: 3 }, { reconciliation: "undecided" }, { is: "outcome_unknown", index: 0 }],
  [
    "nothing in its time",
    { exit_code: null, timed_out: true },
    { reconciliation: "undecided" },
    { is: "outcome_unknown" },
  ],
  [
    "not done, while something may run",
    { may_run: "its job still runs" },
    { reconciliation: "undecided" },
    { is: "outcome_unknown" },
  ],
] as const)("a command that says %s decides what follows", async (_says, look, facts, progress) => {
  const found = await reconciled({ look });
  expect(found).toMatchObject({ facts, progress });
  expect(found.requests).toMatchObject([{ command: "test -e x", index: 0, attempt: 1 }]);
});

test("a step of a server of which something may still run is not repeated, and is settled when it is done", async () => {
  const events = [started(), claimed(false)];
  expect((await reconciled({ events })).body).toMatchObject({
    says: "not_done",
    settles: null,
    may_run: expect.any(String),
  });
  expect((await reconciled({ events, look: { exit_code: 0 } })).body).toMatchObject({ settles: "succeeded" });
});

test("a tool call is not repeated, because its server may still work on it", async () => {
  const step = { ...mcpCall(), reconcile: "test -e x" } as Step;
  const unanswered: NewEvent = {
    kind: "step_finished",
    body: aResult({ kind: "mcp_call", status: "outcome_unknown" }),
  };
  for (const events of [CLEARED, [started(), unanswered]]) {
    const { body, facts } = await reconciled({ step, events });
    expect(facts).toEqual({ reconciliation: "undecided" });
    expect(body).toMatchObject({ settles: null, may_run: "its tool server may still work on the call" });
  }
});

test("a step without a reconcile command, or with one that has spoken, is left to the human", async () => {
  expect(await reconciled({ step: cmd("touch x") })).toMatchObject({
    facts: { reconciliation: "undecided" },
    requests: [],
  });
  const again = await reconciled({ look: { exit_code: 3 } });
  expect(await again.node(stateOf({ contract: again.contract }))).toEqual({ reconciliation: "undecided" });
  expect(again.requests).toHaveLength(1);
});

test("a command that nothing can run here is recorded as not run", async () => {
  const { body, facts } = await reconciled({ look: null });
  expect(facts).toEqual({ reconciliation: "undecided" });
  expect(body).toMatchObject({ exit_code: null, says: "cannot_tell", stderr: expect.stringContaining("was not run") });
});

test("a command that would not be approved now is not run", async () => {
  const step = { ...cmd("touch x"), reconcile: "some-unknown-program" } as Step;
  const parts = await reconciled({ step, events: CLEARED });
  // The steps of an active version may have an effect that is not known; taught ones may not.
  expect(parts.requests).toHaveLength(1);
  const changing = await reconciled({ step: { ...step, reconcile: "touch looked" } as Step });
  expect(changing.requests).toEqual([]);
  expect(changing.body).toMatchObject({
    says: "cannot_tell",
    stderr: expect.stringContaining("not what was approved"),
  });
});

test("a step is repeated three times at most because a command says so", async () => {
  const round = (attempt: number): NewEvent[] => [
    { kind: "step_reconciled", body: { ...LOOK, index: 0, attempt, says: "not_done", settles: "retry" } },
    started(attempt + 1),
    claimed(true),
  ];
  const twice = await reconciled({ events: [...CLEARED, ...round(1), ...round(2)] });
  expect(twice.body).toMatchObject({ attempt: 3, settles: "retry" });
  const thrice = await reconciled({ events: [...CLEARED, ...round(1), ...round(2), ...round(3)] });
  expect(thrice.body).toMatchObject({ attempt: 4, says: "not_done", settles: null });
});

test.each([
  ["reaches another host", cmd("ssh nas 'touch x'"), { reconciliation: "undecided" }],
  ["calls a tool", mcpCall(), { reconciliation: "undecided" }],
  ["changes this machine alone", cmd("touch x"), { reconciliation: "cancelled" }],
])("a cancelled task that a stop cut off in a step that %s (promises 1.4)", async (_what, step, facts) => {
  const events: NewEvent[] = [...CLEARED, { kind: "cancel_requested", body: { reason: null } }];
  const found = await reconciled({ step, events });
  expect(found.facts).toMatchObject(facts);
  expect(found.requests).toEqual([]);
});
