// Honest histories for the checker of journals: tasks on three servers, written by hand from the rules. A mutation changes the entries,
// and links them anew, so that the rule finds it and not the chain.
import { hashOf } from "../../chaos/checker/chain.ts";
import type { Committed, Life } from "../../chaos/checker/lives.ts";

export type Event = {
  readonly thread_id: string;
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
};

const BEGAN = Date.parse("2026-03-06T09:00:00.000Z");
/** The second of a name is that server after it was taken over from, and was started again. */
const OWNERS = {
  a: "box/101/aa",
  b: "box/102/bb",
  c: "box/103/cc",
  a2: "box/101/a2",
  c2: "box/103/c2",
} as const;
export type Name = keyof typeof OWNERS;

/** A second apart, in the order in which they are given. */
export function rowsOf(events: readonly Event[]): Committed[] {
  const tails = new Map<string, { readonly seq: number; readonly hash: string }>();
  return events.map(({ thread_id, kind, body }, place) => {
    const { seq, hash: prev_hash } = tails.get(thread_id) ?? { seq: 0, hash: "0".repeat(64) };
    const committed = BEGAN + place * 1_000;
    const entry = { thread_id, seq: seq + 1, kind, body, at: new Date(committed).toISOString(), prev_hash };
    const hash = hashOf(entry);
    tails.set(thread_id, { seq: seq + 1, hash });
    return { ...entry, hash, committed };
  });
}

const alive = (pid: number, name: string): Life => ({
  name,
  pid,
  from: BEGAN - 60_000,
  to: BEGAN + 9e6,
  may_end: BEGAN + 9e6,
  leaves: BEGAN + 9e6,
  troubles: [],
});
export const livingServers = (): Life[] => [alive(101, "a"), alive(102, "b"), alive(103, "c")];
export const timeOf = (place: number): number => BEGAN + place * 1_000;

const CMD = { kind: "cmd", value: "true" };
const STEPS = [CMD, CMD, { kind: "check", value: "true" }];

/** The events of a task, in words. */
export function taskEvents(thread_id: string, { service = thread_id, intent = "restart", steps = STEPS } = {}) {
  const event = (kind: string, body: Event["body"] = {}): Event => ({ thread_id, kind, body });
  const at = (index: number, attempt = 1) => ({ index, attempt });
  return {
    event,
    accepted: event("task_accepted", { contract: { intent, target: { service } } }),
    pinned: event("sop_pinned", { sop_id: null, steps }),
    claim: (name: Name, over: object = {}) => event("taken_up", { owner: OWNERS[name], recovery: false, ...over }),
    takenOver: (name: Name, over: object = {}) => event("taken_up", { owner: OWNERS[name], recovery: true, ...over }),
    start: (index: number, attempt?: number, over: object = {}) =>
      event("step_started", { ...at(index, attempt), ...over }),
    finish: (index: number, status = "passed", attempt?: number) =>
      event("step_finished", { ...at(index, attempt), status }),
    retry: (index: number) => event("retry_granted", { index }),
    resolve: (index: number, resolution: string, attempt?: number) =>
      event("step_resolved", { ...at(index, attempt), resolution, reason: null }),
    reconcile: (index: number, over: object = {}) =>
      event("step_reconciled", {
        ...at(index),
        exit_code: 1,
        timed_out: false,
        may_run: null,
        settles: "retry",
        ...over,
      }),
    asks: (status: string, reason_code: string) => event("reported", { status, reason_code }),
    late: (name: Name, index: number, attempt?: number) =>
      event("late_result", { ...at(index, attempt), owner: OWNERS[name], status: "passed", exit_code: 0 }),
    cancel: event("cancel_requested", { reason: null }),
    cancelled: event("reported", { status: "cancelled", reason_code: "cancelled" }),
    verdict: event("verdict_reached", { passed: true, reason_code: "verified" }),
    done: event("reported", { status: "ok", reason_code: "verified" }),
    verified: event("verification_recorded", {}),
  };
}

const UNKNOWN = ["need_input", "step_outcome_unknown"] as const;

/** Runs through on one server. */
const plain = (() => {
  const task = taskEvents("plain");
  const { accepted, pinned, claim, start, finish, verdict, done, verified } = task;
  const steps = [0, 1, 2].flatMap((index) => [start(index), finish(index)]);
  return [accepted, claim("a"), pinned, ...steps, verdict, done, verified];
})();

/** Its server ends in step 0; another one asks, and a third goes on after the answer. The check is cut off too, and just runs again. */
const cutOff = (() => {
  const task = taskEvents("cut", { service: "web" });
  const { accepted, pinned, claim, takenOver, start, finish, asks, resolve, verdict, done } = task;
  const asked = [takenOver("b", { crashed: true }), asks(...UNKNOWN), task.late("a", 0), resolve(0, "retry")];
  const repeated = [
    claim("c"),
    start(0, 2),
    finish(0, "failed", 2),
    task.retry(0),
    start(0, 3),
    finish(0, "passed", 3),
  ];
  const check = [start(1), finish(1), start(2), takenOver("b", { crashed: true }), start(2), finish(2)];
  return [accepted, claim("a"), pinned, start(0), ...asked, ...repeated, ...check, verdict, done];
})();

/** Waits for an approval while another task has its target; its step is reconciled after its server has ended. */
const approved = (() => {
  const task = taskEvents("approved", { service: "web" });
  const { accepted, pinned, claim, takenOver, start, finish, event, asks, verdict, done } = task;
  const asked = [event("approval_requested", { approval_id: "x" }), asks("need_approval", "plan_approval")];
  const ran = [
    start(0),
    takenOver("c2", { crashed: true, cleared: true }),
    task.reconcile(0),
    start(0, 2),
    finish(0, "passed", 2),
  ];
  const rest = [1, 2].flatMap((index) => [start(index), finish(index)]);
  const before = [accepted, claim("b"), pinned, ...asked];
  return { before, after: [event("approval_decided", {}), claim("a2"), ...ran, ...rest, verdict, done] };
})();

/** Asked to cancel while it runs, and ended by its owner. */
const cancelledTask = (() => {
  const { accepted, pinned, claim, start, finish, cancel, cancelled } = taskEvents("stop", { service: "db" });
  return [accepted, claim("c2"), pinned, start(0), cancel, finish(0, "failed"), cancelled];
})();

/** A diagnosis shares the target of those that change it. */
const diagnosis = (() => {
  const { accepted, pinned, claim, start, finish, done } = taskEvents("look", { service: "web", intent: "triage" });
  return [accepted, claim("b"), pinned, start(0), finish(0), done];
})();

export const honest: readonly Event[] = [
  ...plain,
  ...approved.before,
  ...cutOff.slice(0, 6),
  ...diagnosis,
  ...cutOff.slice(6),
  ...approved.after,
  ...cancelledTask,
];
