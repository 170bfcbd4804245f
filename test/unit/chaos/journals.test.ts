// The checker of journals is checked with mutants: an honest history of three servers breaks no rule, and each that is not honest
// breaks its own.
import { describe, expect, test } from "vitest";
import { historyBreaches, journalBreaches } from "../../chaos/checker/journals.ts";
import type { Rule } from "../../chaos/checker/rules.ts";
import { type Event, honest, livingServers, rowsOf, taskEvents, timeOf } from "./a-history.ts";

const rulesOf = (events: readonly Event[]): Rule[] => historyBreaches(rowsOf(events)).map(({ rule }) => rule);

const t = taskEvents("t", { service: "web" });
const u = taskEvents("u", { service: "web" });
const elsewhere = taskEvents("elsewhere", { service: "db" });
const begun = [t.accepted, t.claim("a"), t.pinned, t.start(0)];
const done = [t.finish(0), t.start(1), t.finish(1), t.start(2), t.finish(2), t.verdict, t.done];
const unknown = t.asks("need_input", "step_outcome_unknown");
const asked = [...begun, t.takenOver("b", { crashed: true }), unknown];
const CALL = { kind: "mcp_call", value: "", server: "notes", tool: "create" };
const calling = taskEvents("t", { steps: [CALL, CALL, { kind: "check", value: "true" }] });

const WRONG: Record<string, readonly [rule: Rule, events: readonly Event[]]> = {
  "a step that another server starts again": ["twice", [...begun, t.takenOver("b"), t.start(0)]],
  "a step that its own server starts again": ["twice", [...begun, t.start(0)]],
  "a passed step that starts again": ["twice", [...begun, t.finish(0), t.start(0, 2)]],
  "a failed step that starts again without a granted retry": [
    "twice",
    [...begun, t.finish(0, "failed"), t.start(0, 2)],
  ],
  "a check that its own server starts twice": ["twice", [...begun, ...done.slice(0, 4), t.start(2)]],
  "an attempt that was left out": ["twice", [...asked, t.resolve(0, "retry"), t.claim("b"), t.start(0, 3)]],
  "a step that starts again after it was resolved as succeeded": [
    "twice",
    [...asked, t.resolve(0, "succeeded"), t.claim("b"), t.start(0, 2)],
  ],
  "a second retry": [
    "licence",
    [...begun, t.finish(0, "failed"), t.retry(0), t.start(0, 2), t.finish(0, "failed", 2), t.retry(0)],
  ],
  "a late result of a server that has not started the step": ["stray end", [...asked, t.late("b", 0)]],
  "a late result of a step that was resolved": ["stray end", [...asked, t.resolve(0, "succeeded"), t.late("a", 0)]],
  "a late result of another attempt": ["stray end", [...asked, t.late("a", 0, 2)]],
  "a second late result": ["stray end", [...asked, t.late("a", 0), t.late("a", 0)]],
  "a late result after the end": ["end", [...begun, ...done, t.late("a", 0)]],
  "a retry of a step that has passed": ["licence", [...begun, t.finish(0), t.retry(0)]],
  "a retry of a step of unknown outcome": ["licence", [...begun, t.takenOver("b"), t.retry(0)]],
  "a resolution of a step that has passed": [
    "licence",
    [...begun, t.finish(0), t.start(1), unknown, t.resolve(0, "retry")],
  ],
  "a repeat that a reconcile command licenses with exit code 0": [
    "licence",
    [...begun, t.takenOver("b", { cleared: true }), t.reconcile(0, { exit_code: 0 })],
  ],
  "a step that a reconcile command calls done with exit code 1": [
    "licence",
    [...begun, t.takenOver("b", { cleared: true }), t.reconcile(0, { settles: "succeeded" })],
  ],
  "a repeat while the server before may still run the step": [
    "licence",
    [...begun, t.takenOver("b", { crashed: true }), t.reconcile(0)],
  ],
  "a repeat of a call that a reconcile command licenses": [
    "licence",
    [calling.accepted, t.claim("a"), calling.pinned, t.start(0), t.takenOver("b", { cleared: true }), t.reconcile(0)],
  ],
  "a reconcile command that is asked twice": [
    "licence",
    [
      ...[...begun, t.takenOver("b", { cleared: true })],
      ...[t.reconcile(0, { exit_code: 2, settles: null }), t.reconcile(0)],
    ],
  ],
  "the end of a step that the server before has started": ["stray end", [...begun, t.takenOver("b"), t.finish(0)]],
  "the end of a step that was not started": ["stray end", [...begun, t.finish(1)]],
  "a second end of a step": ["stray end", [...begun, t.finish(0), t.finish(0)]],
  "a task that ends well while its last step runs": ["end", [...begun, ...done.slice(0, 4), t.verdict, t.done]],
  "two steps at once": ["order", [...begun, t.start(1)]],
  "a step that is left out": ["order", [...begun, t.finish(0), t.start(2)]],
  "a step that starts after the request to cancel": ["cancel", [...begun, t.cancel, t.finish(0), t.start(1)]],
  "a step that starts after the request to cancel on the server that takes over": [
    "cancel",
    [...begun, t.cancel, t.takenOver("b", { cleared: true }), t.reconcile(0), t.start(0, 2)],
  ],
  "a task that ends twice": ["end", [...begun, ...done, t.done]],
  "a task that is cancelled after its end": ["end", [...begun, ...done, t.cancel, t.cancelled]],
  "a step that starts after the end": ["end", [...begun, ...done, t.start(1)]],
  "a claim after the end": ["end", [...begun, ...done, t.takenOver("b")]],
  "a claim by another server while the task runs": ["claim", [...begun, t.claim("b")]],
  "a claim of a task that waits for an answer": ["claim", [...asked, t.takenOver("c")]],
  "a step without a claim": ["claim", [t.accepted, t.pinned, t.start(0)]],
  "a step after the answer and before the claim": ["claim", [...asked, t.resolve(0, "retry"), t.start(0, 2)]],
  "a verdict without a claim": ["claim", [t.accepted, t.verdict]],
  "an end without a claim": ["claim", [t.accepted, t.done]],
  "a task that was accepted twice": ["claim", [t.accepted, t.accepted]],
  "a task that was not accepted": ["claim", [t.claim("a"), t.pinned]],
  "two answers to one question": ["answer", [...asked, t.resolve(0, "retry"), t.resolve(0, "retry")]],
  "an answer to a task that asks nothing": ["answer", [...begun, t.event("approval_decided")]],
  "a claim of a server from which another has taken over": [
    "epoch",
    [...begun, t.takenOver("b", { crashed: true }), elsewhere.accepted, elsewhere.claim("a")],
  ],
  "two tasks with one target": ["hold", [...begun, u.accepted, u.claim("b")]],
  "a task that takes the target of one that is paused in the middle": ["hold", [...asked, u.accepted, u.claim("b")]],
  "a step of a skill that starts again": [
    "twice",
    [
      ...[t.accepted, t.claim("a"), t.event("skill_step_started", { index: 0, attempt: 1, name: "x" })],
      ...[t.takenOver("b"), t.event("skill_step_started", { index: 0, attempt: 1, name: "x" })],
    ],
  ],
  "the end of a step of a skill that the server before has started": [
    "stray end",
    [
      ...[t.accepted, t.claim("a"), t.event("skill_step_started", { index: 0, attempt: 1, name: "x" })],
      ...[t.takenOver("b"), t.event("skill_step_finished", { index: 0, attempt: 1, ok: true })],
    ],
  ],
};

const without = (place: number): Event[] => honest.toSpliced(place, 1);
const doubled = (place: number): Event[] => honest.flatMap((event, at) => (at === place ? [event, event] : [event]));

/** How many events of each kind are at such a place. */
function placesOf(isFound: (place: number) => boolean): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [place, { kind, body }] of honest.entries()) {
    const name = body["recovery"] === true ? `${kind} to recover` : kind;
    if (isFound(place)) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe("the checker of journals", () => {
  test("finds nothing in an honest history of three servers", () => {
    expect(historyBreaches(rowsOf(honest))).toEqual([]);
  });

  test.each(Object.entries(WRONG))("finds %s", (_name, [rule, events]) => {
    expect(rulesOf(events)).toContain(rule);
  });

  test("finds each event that is there twice, where a second one does harm", () => {
    const missed = placesOf((place) => rulesOf(doubled(place)).length === 0);
    // Said twice these do nothing more, and a task may be recovered twice.
    expect(missed).toEqual({
      sop_pinned: 5,
      cancel_requested: 1,
      verdict_reached: 3,
      verification_recorded: 1,
      approval_requested: 1,
      "taken_up to recover": 3,
    });
  });

  test("finds each event that is left out, where others rest on it", () => {
    const missed = placesOf((place) => rulesOf(without(place)).length === 0);
    // Nothing rests on these, and a step may be cut off by a cancellation.
    expect(missed).toEqual({
      sop_pinned: 4,
      cancel_requested: 1,
      verdict_reached: 3,
      verification_recorded: 1,
      approval_requested: 1,
      reported: 4,
      step_finished: 1,
      step_started: 1,
      late_result: 1,
      "taken_up to recover": 2,
    });
  });

  test("finds a changed entry by its chain, wherever it is", () => {
    const rows = rowsOf(honest);
    for (const place of rows.keys()) {
      const changed = rows.map((row, at) => (at === place ? { ...row, body: { ...row.body, more: 1 } } : row));
      expect(historyBreaches(changed).map(({ rule }) => rule)).toContain("chain");
    }
  });

  test("names the entry that breaks a rule", () => {
    const [breach] = journalBreaches(rowsOf([...begun, t.start(0)]));
    expect(breach).toMatchObject({ thread_id: "t", seq: 5, rule: "twice" });
  });

  test("lets a task have the target of one that has ended, or paused or was held back before anything has begun", () => {
    const asks = [t.accepted, t.claim("a"), t.pinned, t.asks("need_approval", "plan_approval")];
    expect(rulesOf([...asks, u.accepted, u.claim("b")])).toEqual([]);
    expect(rulesOf([...begun, ...done, u.accepted, u.claim("b")])).toEqual([]);
    expect(rulesOf([t.accepted, t.claim("a"), t.event("held_back"), u.accepted, u.claim("b")])).toEqual([]);
  });
});

describe("the checker of who lived", () => {
  const taken = rowsOf([...begun, t.takenOver("b", { crashed: true })]);
  const breaches = (change: (life: ReturnType<typeof livingServers>[number]) => object) =>
    historyBreaches(
      taken,
      livingServers().map((life) => (life.name === "a" ? { ...life, ...change(life) } : life)),
    );

  test("finds a claim of what a living server works on", () => {
    expect(breaches(() => ({})).map(({ rule, seq }) => [rule, seq])).toEqual([["living owner", 5]]);
  });

  test("finds nothing when that server has ended, or was in trouble shortly before", () => {
    expect(breaches(() => ({ may_end: timeOf(3) + 500, to: timeOf(9) }))).toEqual([]);
    expect(breaches(() => ({ troubles: [{ from: timeOf(0), to: timeOf(2) }] }))).toEqual([]);
  });

  test("finds a claim by a server that has ended, and by one that is not of the run", () => {
    const later = rowsOf([t.accepted, t.claim("b")]);
    const ended = livingServers().map((life) => ({ ...life, to: timeOf(0) }));
    expect(historyBreaches(later, ended).map(({ rule }) => rule)).toEqual(["living owner"]);
    expect(historyBreaches(later, []).map(({ rule }) => rule)).toEqual(["living owner"]);
  });

  test("finds nothing where a server has the pid of one that has ended", () => {
    const ended = livingServers().map((life) => ({ ...life, to: timeOf(0), may_end: timeOf(0) }));
    const next = livingServers().map((life) => ({ ...life, from: timeOf(0) + 500 }));
    expect(historyBreaches(rowsOf([t.accepted, t.claim("a")]), [...ended, ...next])).toEqual([]);
  });

  test("finds nothing when that server was asked to leave, but where its step is said not to run any more", () => {
    const leaves = { leaves: timeOf(3) };
    const between = rowsOf([...begun, t.finish(0), t.takenOver("b", { cleared: true })]);
    const within = rowsOf([...begun, t.takenOver("b", { cleared: true })]);
    const found = [taken, between, within].map((rows) =>
      historyBreaches(
        rows,
        livingServers().map((life) => (life.name === "a" ? { ...life, ...leaves } : life)),
      ).map(({ rule }) => rule),
    );
    expect(found).toEqual([[], [], ["living owner"]]);
    expect(breaches(() => ({ leaves: timeOf(9) })).map(({ rule }) => rule)).toEqual(["living owner"]);
  });

  test("finds nothing where a freeze has held the claim back", () => {
    const held = [t.accepted, t.claim("a"), t.event("held_back"), t.takenOver("b", { cleared: true })];
    expect(historyBreaches(rowsOf(held), livingServers())).toEqual([]);
  });

  test("finds that nothing of a living server is said to run", () => {
    const cleared = rowsOf([...begun, t.takenOver("b", { cleared: true })]);
    const troubled = livingServers().map((life) => ({ ...life, troubles: [{ from: timeOf(0), to: timeOf(9) }] }));
    expect(historyBreaches(cleared, troubled).map(({ text }) => text)).toEqual([
      "it is claimed as if nothing of a ran any more, and a lives",
    ]);
  });
});
