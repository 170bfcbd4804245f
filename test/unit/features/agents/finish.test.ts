import { describe, expect, test } from "vitest";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { checksToRun, judgeFinish } from "../../../../src/features/agents/finish.ts";
import { agentJournal, changed, checked, looked } from "../../../support/agent-journal.ts";

const CRITERIA = ["the page is served", "the log is empty"];
type Named = { criterion: string | number; evidence_check: string | number };

const verdict = (calls: Parameters<typeof agentJournal>[0][number], criteria: Named[], success = CRITERIA) =>
  judgeFinish(
    projection(agentJournal([calls])).agent.calls,
    { summary: "done", criteria, done: true },
    { intent: "restart", success_criteria: success },
  );

const both: Named[] = [
  { criterion: "the page is served", evidence_check: "curl page" },
  { criterion: "the log is empty", evidence_check: "test ! -s log" },
];

describe("finish is verified", () => {
  test("when a check of each criterion exited with 0 after the last change", () => {
    const told = verdict([changed("make"), checked("curl page"), checked("test ! -s log")], both);
    expect(told).toMatchObject({ passed: true, reason_code: "verified", uncovered_criteria: [] });
    expect(told.checks).toEqual([
      { step_index: 1, criterion: "the page is served", passed: true, exit_code: 0 },
      { step_index: 2, criterion: "the log is empty", passed: true, exit_code: 0 },
    ]);
  });

  test.each<[string, Named[]]>([
    [
      "by the number of the call",
      [
        { criterion: 1, evidence_check: 1 },
        { criterion: 2, evidence_check: "call 2" },
      ],
    ],
    [
      "by numbers in words",
      [
        { criterion: "1", evidence_check: "#1" },
        { criterion: "2", evidence_check: "2" },
      ],
    ],
    [
      "in any letter case, with extra blanks",
      [
        { criterion: " The page  is SERVED", evidence_check: "curl page" },
        { criterion: 2, evidence_check: 2 },
      ],
    ],
  ])("%s", (_how, criteria) => {
    expect(verdict([changed("make"), checked("curl page"), checked("test ! -s log")], criteria).passed).toBe(true);
  });

  test("by one check for two criteria, also when read-only calls follow it", () => {
    const one = both.map((named) => ({ ...named, evidence_check: "curl page" }));
    expect(verdict([changed("make"), checked("curl page"), looked("ls")], one).passed).toBe(true);
  });

  test("without criteria by any check after the last change", () => {
    expect(verdict([changed("make"), checked("true")], [], []).passed).toBe(true);
    expect(verdict([checked("true"), changed("make")], [], []).passed).toBe(false);
    expect(verdict([changed("make")], [], []).passed).toBe(false);
  });
});

describe("honest slips do not matter", () => {
  const calls = [changed("make"), checked("curl page"), checked("test ! -s log")];
  test.each<[string, Parameters<typeof agentJournal>[0][number], Named[]]>([
    [
      "a paraphrased criterion, by its position",
      calls,
      [
        { criterion: "page works", evidence_check: "curl page" },
        { criterion: "nothing is in the log", evidence_check: "test ! -s log" },
      ],
    ],
    [
      "a numbered criterion and call",
      calls,
      [
        { criterion: "criterion 1", evidence_check: "call-1" },
        { criterion: "#2", evidence_check: "call_2" },
      ],
    ],
    [
      "a command with a newline at its end",
      calls,
      both.map((one) => ({ ...one, evidence_check: `${one.evidence_check}\n` })),
    ],
    [
      "a command that only looks, without the flag",
      [changed("make"), looked("curl page"), looked("test ! -s log")],
      both,
    ],
    [
      "a check that failed at first",
      [changed("make"), checked("curl page", { result: { status: "failed", exit_code: 7 } }), ...calls],
      both,
    ],
  ])("%s", (_, made, criteria) => {
    expect(verdict(made, criteria)).toMatchObject({ passed: true, uncovered_criteria: [] });
  });
});

describe("finish is not verified", () => {
  const nothing = { passed: false, reason_code: "nothing_verified" };
  test.each<[string, Parameters<typeof agentJournal>[0][number]]>([
    ["a check before the last change", [checked("curl page"), checked("test ! -s log"), changed("make")]],
    [
      "a check that failed",
      [changed("make"), checked("curl page", { result: { status: "failed", exit_code: 1 } }), checked("test ! -s log")],
    ],
    ["a check that is missing", [changed("make"), checked("curl page")]],
    [
      "a command of unknown effect without the flag",
      [changed("make"), looked("curl page", { effect: "unknown" }), checked("test ! -s log")],
    ],
    [
      "a check that changes something",
      [changed("make"), checked("test ! -s log"), checked("curl page", { effect: "changes" })],
    ],
    [
      "a failed change after the checks",
      [checked("curl page"), checked("test ! -s log"), changed("make", { result: { status: "failed", exit_code: 2 } })],
    ],
    [
      "a check that was refused",
      [changed("make"), checked("test ! -s log"), checked("curl page", { judged: "refuse", result: null })],
    ],
    [
      "a check of unknown outcome",
      [changed("make"), checked("test ! -s log"), checked("curl page", { result: "cut_off" })],
    ],
  ])("by %s", (_what, calls) => {
    expect(verdict(calls, both)).toMatchObject(nothing);
  });

  test("by its summary alone, by a number that names no check, or by a criterion that the contract lacks", () => {
    const calls = [changed("make"), checked("curl page"), checked("test ! -s log")];
    expect(verdict(calls, [])).toMatchObject({ ...nothing, uncovered_criteria: CRITERIA });
    expect(
      verdict(
        calls,
        both.map((named) => ({ ...named, evidence_check: 0 })),
      ),
    ).toMatchObject(nothing);
    expect(
      verdict(
        calls,
        both.map((named) => ({ ...named, evidence_check: 99 })),
      ),
    ).toMatchObject(nothing);
    expect(verdict(calls, [{ criterion: "all is well", evidence_check: 1 }])).toMatchObject(nothing);
  });

  test("by the number of a command that only looks: only its text says that it is meant as a check", () => {
    const calls = [changed("make"), looked("cat page")];
    expect(verdict(calls, [{ criterion: 1, evidence_check: 1 }], ["it is up"])).toMatchObject(nothing);
    expect(verdict(calls, [{ criterion: 1, evidence_check: "cat page" }], ["it is up"]).passed).toBe(true);
  });

  test("by a skill tool that only reads; a skill tool that checks verifies it", () => {
    const tool = (checks: boolean) => ({
      ...checked("x"),
      step: { kind: "skill_tool", skill: "notes", tool: "verify", arguments: {}, checks } as const,
    });
    const named = [{ criterion: 1, evidence_check: 1 }];
    expect(verdict([changed("make"), tool(true)], named, ["a"]).passed).toBe(true);
    expect(verdict([changed("make"), tool(false)], named, ["a"]).passed).toBe(false);
  });
});

describe("checks that finish names", () => {
  const toRun = (calls: Parameters<typeof agentJournal>[0][number], criteria: Named[]) =>
    checksToRun(projection(agentJournal([calls])).agent.calls, { summary: "done", criteria, done: true });

  test("are run once each when they have not passed since the last change", () => {
    expect(toRun([changed("make")], both)).toEqual(["curl page", "test ! -s log"]);
    expect(toRun([checked("curl page"), changed("make")], [...both, ...both])).toEqual(["curl page", "test ! -s log"]);
  });

  test("are not run when they have passed since the last change, or when finish names them by number", () => {
    expect(toRun([changed("make"), checked("curl page")], both)).toEqual(["test ! -s log"]);
    expect(
      toRun(
        [changed("make")],
        [
          { criterion: 1, evidence_check: "#4" },
          { criterion: 2, evidence_check: 4 },
        ],
      ),
    ).toEqual([]);
    expect(toRun([changed("make")], [{ criterion: 1, evidence_check: "  " }])).toEqual([]);
  });
});

describe("the last run of a check counts", () => {
  const failing = { result: { status: "failed" as const, exit_code: 1 } };
  const named: Named[] = [{ criterion: 1, evidence_check: "test -e up" }];

  test("when it failed after an earlier pass, so the check is run again", () => {
    const calls = [changed("up"), checked("test -e up"), checked("test -e up", failing)];
    expect(verdict(calls, named, ["it is up"]).passed).toBe(false);
    expect(toRunIn(calls, named)).toEqual(["test -e up"]);
  });

  test("across all checks when finish names none, otherwise among the named ones", () => {
    expect(verdict([changed("up"), checked("a"), checked("b", failing)], [], []).passed).toBe(false);
    expect(
      verdict([changed("up"), checked("a"), checked("b", failing)], [{ criterion: "x", evidence_check: "a" }], [])
        .passed,
    ).toBe(true);
  });

  test("until a check of unknown effect runs that finish does not name as evidence", () => {
    const unknown = (command: string) => checked(command, { effect: "unknown" });
    const calls = [changed("up"), checked("test -e up"), unknown("bash tests.sh")];
    expect(verdict(calls, named, ["it is up"]).passed).toBe(false);
    expect(toRunIn(calls, named)).toEqual(["test -e up"]);
    const two: Named[] = [...named, { criterion: 2, evidence_check: "bash tests.sh" }];
    expect(verdict(calls, two, ["it is up", "its tests pass"]).passed).toBe(true);
  });

  test("a criterion whose text looks like the number of another is matched by its text", () => {
    const calls = [changed("up"), checked("a"), checked("b", failing)];
    const odd: Named[] = [
      { criterion: 1, evidence_check: "a" },
      { criterion: "2", evidence_check: "b" },
    ];
    expect(verdict(calls, odd, ["2", "1"])).toMatchObject({ passed: false, uncovered_criteria: ["2"] });
  });

  test("an agent that reports done: false has verified nothing", () => {
    const known = projection(agentJournal([[changed("up"), checked("test -e up")]])).agent.calls;
    const finish = { summary: "no", criteria: named, done: false };
    expect(judgeFinish(known, finish, { intent: "restart", success_criteria: ["it is up"] })).toMatchObject({
      passed: false,
      reason_code: "nothing_verified",
    });
  });
});

const toRunIn = (calls: Parameters<typeof agentJournal>[0][number], criteria: Named[]) =>
  checksToRun(projection(agentJournal([calls])).agent.calls, { summary: "done", criteria, done: true });
