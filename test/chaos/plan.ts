// What a lane of the supervisor has done: procedures whose steps leave marks, and what it answers. `may_end` is what the plan
// allows, without the answers to questions.
import type { Random } from "./random.ts";

export type Step = Readonly<Record<string, unknown>> & { readonly kind: string };

export type Procedure = (random: Random) => readonly Step[];

export type Plan = {
  readonly task_id: string;
  readonly contract: Readonly<Record<string, unknown>>;
  /** What is taught where the task asks. */
  readonly steps: readonly Step[];
  readonly decision: "approve" | "reject";
  /** Decides on the candidate that the task leaves; null where it leaves none. */
  readonly promotion: "approve" | "reject" | null;
  /** Milliseconds after which it is cancelled. */
  readonly cancel_after: number | null;
  readonly may_end: readonly string[];
};

export const INTENT = "restart";
const DONE = ["ok/verified"];
const SCOPE = ["chaos", "losing", "memory"];

const isBegun = (index: number) => `grep -qx "$ORCH_TASK_ID.${index}.begun" marks`;

/** Appends a line before and after a short sleep, and to another file the same with the time. A reconcile command has no licence of the supervisor: it must not repeat a mark. */
const marking = (index: number, seconds: string, reconciles: boolean): Step => {
  const mark = (what: string) => `echo "$ORCH_TASK_ID.${index}.${what}" >> marks`;
  const time = (what: string) => `echo "${what} $ORCH_TASK_ID ${index} orch $EPOCHREALTIME" >> times`;
  const value = `${time("start")}; ${mark("begun")}; sleep ${seconds}; ${mark("done")}; ${time("end")}`;
  return { kind: "cmd", value, ...(reconciles && { reconcile: isBegun(index) }) };
};

const FAILING: Step = { kind: "cmd", value: "exit 3" };
// biome-ignore lint/suspicious/noTemplateCurlyInString: orch puts the value in
const CALL: Step = { kind: "mcp_call", server: "chaos", tool: "create", arguments: { mark: "${payload.mark}" } };

export const marksSteps: Procedure = (random) => {
  const commands = Array.from({ length: random.between(1, 3) }, (_, index) =>
    marking(index, (random.between(1, 80) / 100).toFixed(2), random.chance(0.5)),
  );
  return [
    ...commands,
    ...(random.chance(0.4) ? [CALL] : []),
    ...(random.chance(0.3) ? [{ kind: "wait", value: "200ms" }] : []),
    { kind: "check", value: isBegun(0) },
  ];
};

/** The mark of a step of that index: which steps of a procedure call the tool is known from its kind. */
export const markOf = (task_id: string, index: number, kind: string): string =>
  kind === "mcp_call" ? `${task_id}.call.called` : `${task_id}.${index}.begun`;

type Given = { readonly task_id: string; readonly service: string; readonly procedure: Procedure };

const contractOf = ({ task_id, service }: Given, over: object = {}) => ({
  task_id,
  intent: INTENT,
  target: { service },
  delegation_mode: "known_only",
  constraints: { implicit_scope: SCOPE, require_approval_for: [], max_minutes: 1 },
  success_criteria: [],
  requested_by: "chaos",
  requested_at: "2026-03-06T09:00:00.000Z",
  payload: { mark: `${task_id}.call.called` },
  ...over,
});

const plan = (given: Pick<Plan, "task_id" | "contract"> & Partial<Plan>): Plan => ({
  steps: [],
  decision: "approve",
  promotion: null,
  cancel_after: null,
  may_end: DONE,
  ...given,
});

export function taught(given: Given, random: Random): Plan {
  const { task_id, procedure } = given;
  const contract = contractOf(given, { delegation_mode: "teach_if_unknown" });
  if (random.chance(0.15)) {
    const steps = [...procedure(random).slice(0, 1), FAILING, ...procedure(random).slice(-1)];
    return plan({ task_id, contract, steps, may_end: ["failed/step_failed"] });
  }
  const promotion = random.chance(0.85) ? "approve" : "reject";
  return plan({ task_id, contract, steps: procedure(random), promotion });
}

const REJECTED = ["blocked/approval_rejected"];
const STALE = ["blocked/approval_stale"];

/** `isOneOfTwo`: when the trial fails in the other one, what was approved for this one is not in use any more. */
export function known(given: Given, random: Random, isOneOfTwo = false): Plan {
  const { task_id } = given;
  const asks = random.chance(0.3);
  const stale = isOneOfTwo ? STALE : [];
  const contract = contractOf(given, {
    constraints: {
      implicit_scope: SCOPE,
      require_approval_for: asks ? ["restarting a service"] : [],
      max_minutes: 1,
    },
  });
  if (random.chance(0.15)) {
    const cancel_after = random.between(0, 1_500);
    return plan({ task_id, contract, cancel_after, may_end: [...DONE, ...stale, "cancelled/cancelled"] });
  }
  // A version on trial asks too.
  const decision = asks && random.chance(0.2) ? "reject" : "approve";
  return plan({ task_id, contract, decision, may_end: decision === "reject" ? REJECTED : [...DONE, ...stale] });
}

export function update(given: Given, random: Random): Plan {
  const { task_id, service, procedure } = given;
  const payload = { intent: INTENT, target: { service }, steps: procedure(random) };
  const contract = contractOf(given, { intent: "update_sop", target: {}, payload });
  const decision = random.chance(0.75) ? "approve" : "reject";
  return plan({ task_id, contract, decision, may_end: decision === "reject" ? REJECTED : ["ok/sop_replaced"] });
}
