// Pure parts of the console.
import { describe, expect, test } from "vitest";
import { meaningOf, placeOf, reachOf, reasonsOf, stepsText } from "../../pages/approval/meaning.ts";
import { consequenceWord } from "../../parts/words.ts";

type Shown = Parameters<typeof meaningOf>[0];

/** The parts of an answer that the sentence is made of. */
const shown = (kind: Shown["approval"]["kind"], counts: Shown["counts"], content: object = { contract: {} }): Shown =>
  ({
    approval: { kind, content },
    steps: Array.from({ length: counts.looks + counts.changes + counts.cannot_tell }, () => ({})),
    counts,
    sop: null,
  }) as never;

describe("what a yes means", () => {
  test("a plan runs once", () => {
    expect(meaningOf(shown("plan", { looks: 2, changes: 1, cannot_tell: 0 }))).toBe(
      "Now, once, 3 steps: 1 changes something, 2 only look.",
    );
  });

  test("a promotion is used from now on, and runs nothing now", () => {
    expect(meaningOf(shown("promotion", { looks: 1, changes: 0, cannot_tell: 1 }, {}))).toBe(
      "From now on each task with this intent and target runs 2 steps: 1 may change something, 1 only looks. No run of it asks for an approval, unless policy finds something. Nothing runs now.",
    );
  });

  test("a version on trial asks once more", () => {
    const asked = shown("replacement", { looks: 0, changes: 1, cannot_tell: 0 });
    expect(meaningOf({ ...asked, sop: { trial_left: 1 } as never })).toContain("Its first run asks once more.");
  });

  test("a procedure that asks each time says so", () => {
    const content = { safety_level: "approval_required" };
    const meant = meaningOf(shown("promotion", { looks: 0, changes: 1, cannot_tell: 0 }, content));
    expect(meant).toContain("Each run asks for an approval.");
  });

  test("a yes to an agent is for these calls only", () => {
    expect(meaningOf(shown("agent", { looks: 0, changes: 1, cannot_tell: 0 }))).toBe(
      "The agent makes 1 call: 1 changes something. It goes on under the same rules after that.",
    );
  });

  test("a wait alone runs no command", () => {
    const meant = meaningOf({ ...shown("plan", { looks: 0, changes: 0, cannot_tell: 0 }), steps: [{}] as never });
    expect(meant).toBe("Now, once, 1 step: nothing that runs a command.");
  });
});

test("what several steps reach is named once, and what is left out is added up", () => {
  const blast = (paths: string[], more = 0) => ({ paths, containers: ["db"], hosts: [], more });
  const reach = reachOf([
    { blast: blast(["/srv"], 2), consequences: ["deletes_data"] },
    { blast: blast(["/srv", "/etc"], 1), consequences: ["deletes_data", "reboots"] },
    { blast: null, consequences: [] },
  ] as never);
  expect(reach).toEqual({
    consequences: ["deletes_data", "reboots"],
    paths: ["/srv", "/etc"],
    containers: ["db"],
    hosts: [],
    more: 3,
  });
});

test("a consequence that the page does not know yet is shown by its code", () => {
  expect(consequenceWord("melts_ice")).toBe("melts ice");
});

test("a reason that several steps share is given once, with their numbers", () => {
  const asks = (index: number, ...codes: string[]) => ({
    index,
    findings: codes.map((code) => ({ code, verdict: "ask", reason: `because of ${code}`, command: null })),
  });
  const reasons = reasonsOf([asks(0, "a"), asks(1, "a", "b", "a"), asks(4, "a")] as never);
  expect(reasons.map(({ code, steps }) => [code, stepsText(steps)])).toEqual([
    ["a", "steps 0, 1 and 4"],
    ["b", "step 1"],
  ]);
});

describe("where it runs", () => {
  test.each([
    [undefined, undefined, "any server"],
    ["local", ["docker", "gpu"], "docker, gpu"],
    ["flowengine", undefined, "the flow engine"],
    ["flowengine", ["docker", "gpu"], "the flow engine, tag docker+gpu"],
  ])("on the backend %j with the labels %j is %j", (backend, runs_on, place) => {
    expect(placeOf(backend, runs_on)).toBe(place);
  });
});
