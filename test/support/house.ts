// A house whose tasks are written as journals at set times: what a server would have recorded, for tests of the scorecard.
import { signatureOf, type TaskContract } from "../../src/domain/contract.ts";
import type { NewEvent } from "../../src/domain/journal.ts";
import { outcome } from "../../src/domain/outcome.ts";
import type { Examination } from "../../src/domain/proof.ts";
import type { ReasonCode } from "../../src/domain/reason-code.ts";
import type { Sop } from "../../src/domain/sop.ts";
import { promotionThread } from "../../src/domain/thread-id.ts";
import { planDigests, verdictOn } from "../../src/engine/tasks/plan.ts";
import { projection } from "../../src/engine/tasks/projection.ts";
import { accept } from "../../src/engine/tasks/transitions.ts";
import type { Store } from "../../src/ports.ts";
import { aSop } from "../conformance/store-records.ts";
import { AT, aContract, aResult, check, cmd, journalOf, UNTRIED } from "./builders.ts";

const STEPS = [cmd("systemctl restart web"), check("systemctl is-active web")];
const CRITERIA = [{ criterion: "the page is served", step_index: 1 }];

const examination = (control: "red" | "green"): Examination => ({
  constant: null,
  chance: null,
  names_target: true,
  reads_before: false,
  joined: false,
  red_at: null,
  control: { answer: control, exit_code: control === "red" ? 1 : 0, reason: null, world: "empty", wrote: false },
  decoy: control === "red" ? { answer: "red", exit_code: 1, reason: null } : null,
});

type Stored = { readonly sop_id: string };
type Life = {
  readonly task_id: string;
  readonly host: string;
  readonly at: string;
  readonly mode?: "teach_if_unknown" | "known_only" | "agent";
  readonly verified?: boolean;
  /** The events between the claim and the verdict; each with the seconds since the one before. */
  readonly events: (contract: TaskContract) => readonly (readonly [seconds: number, event: NewEvent])[];
  /** Without one the end follows from the verdict. */
  readonly end?: ReasonCode;
  /** The version that it proves, and what a human makes of it. */
  readonly proves?: Stored & { readonly promoted: boolean };
};

export function createHouse(storeAt: (clock: () => Date) => Store) {
  let now = 0;
  const store = storeAt(() => new Date(now));
  const write = async (thread_id: string, ...events: NewEvent[]) => {
    await store.commit({ thread_id, after: "last", events });
  };

  async function live({ task_id, host, at, mode = "known_only", verified, events, end, proves }: Life) {
    now = Date.parse(at);
    const contract = aContract({ task_id, intent: "restart", target: { host }, delegation_mode: mode });
    const accepted = accept({ contract, backend: "local", at });
    await store.commit({ thread_id: task_id, after: null, events: accepted.events, changes: accepted.changes });
    now += 1_000;
    await write(task_id, { kind: "taken_up", body: { owner: "server-1", recovery: false } });
    const known: NewEvent[] = [...accepted.events];
    const state = () => projection(journalOf(...known));
    for (const [seconds, event] of events(contract)) {
      now += 1_000 * seconds;
      known.push(event);
      await write(task_id, event);
    }
    if (end === undefined) {
      const body = verdictOn(contract, state());
      await write(task_id, { kind: "verdict_reached", body });
      await close(task_id, body.passed ? "verified" : "check_failed", proves);
    } else await close(task_id, end, proves);
    if (verified !== undefined)
      await write(task_id, { kind: "verification_recorded", body: { verified, source: "a dashboard", note: null } });
    if (proves !== undefined) await promote(proves, { task_id, target_signature: signatureOf(contract) });
  }

  async function close(task_id: string, reason_code: ReasonCode, proves: Life["proves"]) {
    const status = STATUS_OF.get(reason_code) ?? "blocked";
    const body = { sop_id: proves?.sop_id ?? "", version: 1, status: "candidate", why: "proved" };
    const made: NewEvent[] = proves === undefined ? [] : [{ kind: "sop_changed", body }];
    const message = outcome(status, reason_code, "It ended.", { thread_id: task_id });
    await write(task_id, ...made, { kind: "reported", body: message });
  }

  async function promote(
    { sop_id, promoted }: NonNullable<Life["proves"]>,
    of: Pick<Sop, "target_signature"> & { task_id: string },
  ) {
    const thread_id = promotionThread(sop_id);
    const { task_id, target_signature } = of;
    const status = promoted ? ("active" as const) : ("deprecated" as const);
    const version = store.listSops({ target_signature, limit: 9 }).then((all) => all.length + 1);
    const sop = aSop({
      ...UNTRIED,
      sop_id,
      target_signature,
      status,
      version: await version,
      origin: task_id,
      steps: STEPS,
    });
    await store.commit({ thread_id, after: null, events: [], changes: [{ on: "sop_created", sop }] });
    const end = promoted
      ? outcome("ok", "promoted", "Promoted.", { thread_id })
      : outcome("blocked", "approval_rejected", "Not promoted.", { thread_id });
    now += 60_000;
    await write(thread_id, { kind: "reported", body: end });
  }

  const at = (time: string): void => {
    now = Date.parse(time);
  };
  return { store, live, at, clock: () => new Date(now) };
}

const STATUS_OF = new Map<ReasonCode, "ok" | "failed">([
  ...(["verified", "skill_done"] as const).map((code) => [code, "ok"] as const),
  ...(["check_failed", "model_unavailable"] as const).map((code) => [code, "failed"] as const),
]);

const procedure = (sop: Stored | null) => ({
  sop_id: sop?.sop_id ?? null,
  sop_version: sop === null ? null : 1,
  steps: STEPS,
  criteria: CRITERIA,
  safety_level: "standard" as const,
  preconditions: [],
});

type Timed = readonly [seconds: number, event: NewEvent];

const ran = (index: number, over: Partial<ReturnType<typeof aResult>> = {}): Timed[] => [
  [0, { kind: "step_started", body: { index, attempt: over.attempt ?? 1 } }],
  [2, { kind: "step_finished", body: aResult({ index, kind: index === 1 ? "check" : "cmd", ...over }) }],
];
const examined = (control: "red" | "green" = "red"): Timed => [
  0,
  { kind: "checks_examined", body: { checks: [{ step_index: 1, ...examination(control) }] } },
];
const asks = (status: "need_input" | "need_approval", reason_code: ReasonCode): Timed => [
  0,
  { kind: "reported", body: outcome(status, reason_code, "It asks.", { thread_id: "t" }) },
];
export const pinned = (sop: Stored): Timed => [0, { kind: "sop_pinned", body: procedure(sop) }];
export const passes = (control: "red" | "green" = "red"): Timed[] => [...ran(0), ...ran(1), examined(control)];
export const taught = (): Timed[] => [
  asks("need_input", "sop_unknown"),
  [60, { kind: "taught", body: procedure(null) }],
  ...passes(),
];
export const fails = (): Timed[] => [...ran(0), ...ran(1, { status: "failed", exit_code: 1 })];
export const runsTwice = (): Timed[] => [...ran(0), ...passes()];
export const retried = (): Timed[] => [
  ...ran(0, { status: "failed", exit_code: 7 }),
  [
    0,
    {
      kind: "gate_answered",
      body: {
        question: "error",
        about: "step 0, attempt 1",
        answer: { error_type: "transient" },
        fallback: null,
        model: "m",
        latency_ms: 5,
      },
    },
  ],
  [0, { kind: "retry_granted", body: { index: 0 } }],
  ...ran(0, { attempt: 2 }),
  ...ran(1),
  examined(),
];
export const unknown = (): Timed[] => [
  [0, { kind: "step_started", body: { index: 0, attempt: 1 } }],
  asks("need_input", "step_outcome_unknown"),
  [60, { kind: "step_resolved", body: { index: 0, attempt: 1, resolution: "succeeded", reason: null } }],
  ...ran(1),
  examined(),
];

const ASKS = {
  step_index: 0,
  verdict: "ask",
  code: "safety.approval_required",
  reason: "every run",
  command: null,
  category: null,
} as const;

/** Of the plan of the version. */
export function approval(
  contract: TaskContract,
  sop: Stored,
  status: "approved" | "rejected",
  seconds: number,
): Timed[] {
  const { events } = accept({ contract, backend: "local", at: AT });
  const [digest = ""] = planDigests(contract, projection(journalOf(...events, pinned(sop)[1])), [ASKS]);
  const decision = status === "approved" ? ("approve" as const) : ("reject" as const);
  return [
    [0, { kind: "policy_judged", body: { findings: [ASKS] } }],
    [0, { kind: "approval_requested", body: { approval_id: "a-1", kind: "plan", digest } }],
    asks("need_approval", "approval_required"),
    [
      seconds,
      {
        kind: "approval_decided",
        body: { approval_id: "a-1", status, decision, reason: null, decided_by: "ann", token_id: "t" },
      },
    ],
  ];
}
