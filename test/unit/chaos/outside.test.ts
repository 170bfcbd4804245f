// What steps have written down, against journals: an honest run has no finding, and each that is not honest has its own.
import { describe, expect, test } from "vitest";
import { type Mark, marksIn, outsideBreaches } from "../../chaos/checker/outside.ts";
import { type Event, rowsOf, taskEvents, timeOf } from "./a-history.ts";

const t = taskEvents("t", { service: "web" });
const u = taskEvents("u", { service: "web" });
const other = taskEvents("v", { service: "db" });
/** Its last entry is that of place 8. */
const ended = [t.accepted, t.claim("a"), t.pinned, t.start(0), t.finish(0), t.start(1), t.finish(1), t.verdict, t.done];
const begun = (task: typeof t): Event[] => [task.accepted, task.claim("b"), task.start(0)];
const events = [...ended, ...begun(u), ...begun(other)];

const mark = (what: Mark["what"], task_id: string, place: number, index = 0, server = "a"): Mark => ({
  what,
  task_id,
  index,
  server,
  at: timeOf(place),
});

const honest = [
  ...[mark("start", "t", 3), mark("end", "t", 4), mark("start", "t", 5, 1), mark("end", "t", 6, 1)],
  ...[mark("start", "u", 20, 0, "b"), mark("start", "v", 21, 0, "b"), mark("end", "u", 22, 0, "b")],
];

const rulesOf = (marks: readonly Mark[], of = events) => outsideBreaches(rowsOf(of), marks).map(({ rule }) => rule);

describe("the checker of what steps have written", () => {
  test("finds nothing in an honest run, with two targets at once and a step that was killed", () => {
    expect(rulesOf(honest)).toEqual([]);
  });

  test("finds a step that ran twice, also on another server", () => {
    expect(rulesOf([...honest, mark("start", "u", 23, 0, "b")])).toEqual(["outside"]);
    expect(rulesOf([...honest, mark("start", "u", 23, 0, "c")])).toEqual(["outside"]);
  });

  test("finds a step that no journal has started", () => {
    expect(rulesOf([...honest, mark("start", "u", 23, 1, "b")])).toEqual(["outside"]);
  });

  test("lets a step run twice that was started twice", () => {
    const again = [...events, u.takenOver("c"), u.start(0)];
    expect(rulesOf([...honest, mark("start", "u", 23, 0, "c")], again)).toEqual([]);
  });

  test("finds two tasks that run on one target at once", () => {
    const early = honest.map((one) =>
      one.task_id === "u" && one.what === "start" ? { ...one, at: timeOf(3) + 1 } : one,
    );
    // Step 1 of the other task starts in it too.
    expect(rulesOf(early)).toEqual(["hold", "hold"]);
  });

  test("finds a step that goes on after its task has ended", () => {
    expect(rulesOf([...honest, mark("end", "t", 9)])).toEqual(["end"]);
  });

  test("lets a step go on of which the outcome says so", () => {
    const message = "the step may still run on amber";
    const cancelled = [...begun(u), u.event("reported", { status: "cancelled", reason_code: "cancelled", message })];
    const marks = [mark("start", "u", 2, 0, "b"), mark("end", "u", 9, 0, "b")];
    expect(rulesOf(marks, cancelled)).toEqual([]);
  });

  test("reads lines, and leaves out one that a kill has cut off", () => {
    const lines = ["start t 0 /tmp/a 1772787600.000000", "end t 0 /tmp/a 17727", "start t"];
    expect(marksIn(lines)).toEqual([mark("start", "t", 0, 0, "/tmp/a")]);
  });
});
