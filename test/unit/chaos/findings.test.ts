// The checker of `npm run chaos` is checked with mutants: an honest history has no finding, and each that is not honest has its own.
import { describe, expect, test } from "vitest";
import { hashOf } from "../../chaos/checker/chain.ts";
import { findingsOf } from "../../chaos/checker/findings.ts";
import type { Bundle, Entry, History, Message } from "../../chaos/checker/history.ts";

const AT = "2026-03-06T09:00:00.000Z";
const SOP = "571d82fd-d8a8-41e2-9e8b-5388626f8f66";

function journalOf(thread_id: string, events: readonly [string, Record<string, unknown>][]): Entry[] {
  let prev_hash = "0".repeat(64);
  return events.map(([kind, body], place) => {
    const entry = { thread_id, seq: place + 1, kind, body, at: AT, prev_hash };
    prev_hash = hashOf(entry);
    return { ...entry, hash: prev_hash };
  });
}

const passed = { passed: true, reason_code: "verified" };
const ok = { status: "ok", reason_code: "verified" };
const asked = { status: "need_input", reason_code: "step_outcome_unknown" };

const ACCEPTED: [string, Record<string, unknown>] = ["task_accepted", {}];
const CLAIMED: [string, Record<string, unknown>] = ["taken_up", { owner: "box/1/a", recovery: false }];

const bundleOf = (task_id: string, ...events: [string, Record<string, unknown>][]): Bundle => ({
  task_id,
  status: "ok",
  journal: journalOf(task_id, [ACCEPTED, CLAIMED, ...events, ["verdict_reached", passed], ["reported", ok]]),
});

const messageOf = (cursor: number, thread_id: string, reason_code = "verified"): Message => ({
  cursor,
  thread_id,
  at: AT,
  outcome: { reason_code },
});

const messages = [messageOf(4, "a"), messageOf(9, "b", "step_outcome_unknown"), messageOf(12, "b")];

const listed = (task_id: string, status = "ok", reason_code = "verified") => ({
  task_id,
  status,
  outcome: { reason_code, message: "It is so." },
});

/** `a` was taught and proved the SOP; `b` ran it, was cut off and asked. */
const honest: History = {
  marks: ["a.0.begun", "a.0.done", "b.0.begun", "b.0.done", "b.1.called", "b.2.begun", "b.2.done"],
  effects: new Map([["a", 1]]),
  licences: ["b.0"],
  accepted: new Map([
    ["a", ["ok/verified"]],
    ["b", ["ok/verified", "failed/step_failed"]],
  ]),
  tasks: [listed("a"), listed("b")],
  bundles: [
    bundleOf("a", ["sop_pinned", { sop_id: null, steps: [] }]),
    bundleOf("b", ["sop_pinned", { sop_id: SOP, steps: [] }], ["reported", asked], ["unparked", {}], CLAIMED),
  ],
  live: messages,
  full: messages,
  sops: [{ sop_id: SOP, origin: "a", status: "active", success_count: 2, failure_count: 0 }],
  asked_promotions: [],
  cut: new Set(),
  leftovers: [],
};

const sop = (over: Partial<History["sops"][number]>) => honest.sops.map((one) => ({ ...one, ...over }));
const [first, ...others] = honest.bundles;

/** The bundle of `a` with another journal. */
const altered = (alter: (journal: Entry[]) => Entry[]): Partial<History> => ({
  bundles: first === undefined ? [] : [{ ...first, journal: alter(first.journal) }, ...others],
});

const linked = (journal: Entry[], place: number, body: Record<string, unknown>): Entry[] =>
  journalOf(
    "a",
    journal.map((entry, at) => [entry.kind, at === place ? body : entry.body]),
  );

const MUTANTS: Record<string, readonly [kind: string, change: Partial<History>]> = {
  "a step that began twice": ["step run twice", { marks: [...honest.marks, "a.0.begun"] }],
  "an effect that a lost answer led to twice": ["effect twice", { effects: new Map([["a", 2]]) }],
  "an effect twice under a licence": ["effect twice", { effects: new Map([["b", 2]]), licences: ["b.0"] }],
  "a task that is done without its effect": ["effect missing", { effects: new Map([["a", 0]]) }],
  "a tool that was called twice": ["step run twice", { marks: [...honest.marks, "b.1.called"] }],
  "a step that ran three times under one licence": [
    "step run twice",
    { marks: [...honest.marks, "b.0.begun", "b.0.begun"] },
  ],
  "an accepted task that is not listed": ["lost", { tasks: [listed("b")] }],
  "a task that is left running": ["lost", { tasks: [listed("a"), listed("b", "running")] }],
  "a task that is left in the queue": ["lost", { tasks: [listed("a"), listed("b", "accepted")] }],
  "a task without evidence": ["lost", { bundles: others }],
  "a candidate without a promotion": ["lost", { sops: sop({ status: "candidate" }) }],
  "a task that was given up": ["wrong end", { tasks: [listed("a"), listed("b", "failed", "internal_error")] }],
  "a task that failed although nothing in its plan fails": [
    "wrong end",
    { tasks: [listed("a", "failed", "step_failed"), listed("b")] },
  ],
  "a task that ended twice": ["wrong end", altered(() => bundleOf("a", ["reported", ok]).journal)],
  "an end that is not in the journal": ["wrong end", altered((journal) => journal.slice(0, -1))],
  "a changed entry": [
    "unverifiable",
    altered((journal) => journal.map((entry) => (entry.seq === 2 ? { ...entry, body: { other: true } } : entry))),
  ],
  "an entry that is missing": ["unverifiable", altered((journal) => journal.filter(({ seq }) => seq !== 2))],
  "an entry that another thread has": [
    "unverifiable",
    altered((journal) => journal.map((entry) => ({ ...entry, thread_id: "b" }))),
  ],
  "a chain that was begun anew in the middle": [
    "unverifiable",
    altered((journal) => [...journal.slice(0, 2), ...linked(journal, 0, { other: true }).slice(2)]),
  ],
  "a claim while another server works": ["claim", altered(() => bundleOf("a", CLAIMED).journal)],
  "a message that the reader missed": ["message", { live: messages.slice(1) }],
  "a message that the reader got twice": ["message", { live: [...messages, messageOf(12, "b")] }],
  "a message that was taken back": ["message", { live: [...messages, messageOf(13, "b")] }],
  "a report that is no message": ["message", { live: messages.slice(0, 2), full: messages.slice(0, 2) }],
  "messages out of order": ["message", { full: messages.toReversed() }],
  "a success that was not counted": ["wrong counter", { sops: sop({ success_count: 1 }) }],
  "a failure that did not happen": ["wrong counter", { sops: sop({ failure_count: 1 }) }],
  "a process that is left": ["leftover process", { leftovers: ["4711 sleep 0.3"] }],
};

describe("the checker of a run under faults", () => {
  test("finds nothing in an honest history", () => {
    expect(findingsOf(honest)).toEqual([]);
  });

  test.each(Object.entries(MUTANTS))("finds %s", (_name, [kind, change]) => {
    expect(findingsOf({ ...honest, ...change }).map((finding) => finding.kind)).toContain(kind);
  });

  test("allows that a step runs again whose start was removed from the journal", () => {
    const marks = [...honest.marks, "a.0.begun"];
    expect(findingsOf({ ...honest, marks, cut: new Set(["a"]) })).toEqual([]);
  });
});
