import { describe, expect, test } from "vitest";
import type { CheckProof } from "../../../../src/domain/proof.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { checksOf, checksToRun, judgeFinish, objectionTo } from "../../../../src/features/agents/finish.ts";
import { agentJournal, changed, checked, looked } from "../../../support/agent-journal.ts";
import { judgeHere } from "../../../support/judge-here.ts";

type Made = Parameters<typeof agentJournal>[0][number];
type Named = readonly [criterion: string | number, evidence_check: string | number];

/** Criteria with the checks that are named for them, one after the other. */
const named = (...words: (string | number)[]): Named[] =>
  words.flatMap((check, at) => (at % 2 === 0 ? [] : [[words[at - 1] ?? "", check] as const]));

const CRITERIA = ["the page is served", "the log is empty"];
const callsOf = (made: Made) => projection(agentJournal([made])).agent.calls;
const finishOf = (criteria: readonly Named[], done = true) => ({
  summary: "done",
  criteria: criteria.map(([criterion, evidence_check]) => ({ criterion, evidence_check })),
  done,
});
const verdict = (made: Made, criteria: readonly Named[], success_criteria = CRITERIA, done = true) =>
  judgeFinish(callsOf(made), finishOf(criteria, done), { intent: "restart", success_criteria });

const FAILED = { result: { status: "failed", exit_code: 1 } } as const;
const make = changed("make");
const page = checked("curl page");
const log = checked("test ! -s log");
const unknown = (command: string) => checked(command, { effect: "unknown" });
const tool = (checks: boolean) => ({
  ...checked("x"),
  step: { kind: "skill_tool", skill: "notes", tool: "verify", arguments: {}, checks } as const,
});
const both = named("the page is served", "curl page", "the log is empty", "test ! -s log");
const UP = named(1, "test -e up");
const up = [changed("up"), checked("test -e up")];

test("finish is verified when a check of each criterion exited with 0 after the last change", () => {
  const found = verdict([make, page, log], both);
  expect(found).toMatchObject({ passed: true, reason_code: "verified", uncovered_criteria: [] });
  expect(found.checks).toEqual([
    { step_index: 1, criterion: "the page is served", passed: true, exit_code: 0 },
    { step_index: 2, criterion: "the log is empty", passed: true, exit_code: 0 },
  ]);
});

test.each<[string, Made, readonly Named[], string[]?]>([
  ["the number of the call", [make, page, log], named(1, 1, 2, "call 2")],
  ["numbers in words", [make, page, log], named("1", "#1", "2", "2")],
  ["other letters, with extra blanks", [make, page, log], named(" The page  is SERVED", "curl page", 2, 2)],
  [
    "one check for both, before a call that only reads",
    [make, page, looked("ls")],
    named(1, "curl page", 2, "curl page"),
  ],
  ["any check after the last change where there are no criteria", [make, checked("true")], [], []],
  [
    "a paraphrased criterion, by its position",
    [make, page, log],
    named("page works", "curl page", "no log", "test ! -s log"),
  ],
  ["a numbered criterion and call", [make, page, log], named("criterion 1", "call-1", "#2", "call_2")],
  ["a command with a newline at its end", [make, page, log], both.map(([name, check]) => [name, `${check}\n`])],
  ["a command that only looks, without the flag", [make, looked("curl page"), looked("test ! -s log")], both],
  ["a check that failed at first", [make, checked("curl page", FAILED), make, page, log], both],
  ["a skill tool that checks", [make, tool(true)], named(1, 1), ["a"]],
  [
    "the one named check, where another fails",
    [up[0] ?? make, checked("a"), checked("b", FAILED)],
    named("x", "a"),
    [],
  ],
  [
    "a check of unknown effect that is named",
    [...up, unknown("bash tests.sh")],
    named(1, "test -e up", 2, "bash tests.sh"),
    ["it is up", "its tests pass"],
  ],
])("finish is verified by %s", (_, made, criteria, success) => {
  expect(verdict(made, criteria, success)).toMatchObject({ passed: true, uncovered_criteria: [] });
});

test.each<[string, Made, readonly Named[], string[]?]>([
  ["a check before the last change", [page, log, make], both],
  ["a check before the only change, where there are no criteria", [checked("true"), make], [], []],
  ["no check", [make], [], []],
  ["a check that failed", [make, checked("curl page", FAILED), log], both],
  ["a check that is missing", [make, page], both],
  ["a command of unknown effect without the flag", [make, looked("curl page", { effect: "unknown" }), log], both],
  ["a check that changes something", [make, log, checked("curl page", { effect: "changes" })], both],
  ["a failed change after the checks", [page, log, changed("make", FAILED)], both],
  ["a check that was refused", [make, log, checked("curl page", { judged: "refuse", result: null })], both],
  ["a check of unknown outcome", [make, log, checked("curl page", { result: "cut_off" })], both],
  ["its summary alone", [make, page, log], []],
  ["the number of a call that is no check", [make, page, log], named(1, 0, 2, 0)],
  ["the number of no call", [make, page, log], named(1, 99, 2, 99)],
  ["a criterion that the contract lacks", [make, page, log], named("all is well", 1)],
  ["the number of a command that only looks", [make, looked("cat page")], named(1, 1), ["it is up"]],
  ["a skill tool that only reads", [make, tool(false)], named(1, 1), ["a"]],
  ["a check that failed after an earlier pass", [...up, checked("test -e up", FAILED)], UP, ["it is up"]],
  ["the last of all checks, where none is named", [make, checked("a"), checked("b", FAILED)], [], []],
  ["a check before one of unknown effect that is not named", [...up, unknown("bash tests.sh")], UP, ["it is up"]],
])("finish is not verified by %s", (_, made, criteria, success) => {
  expect(verdict(made, criteria, success)).toMatchObject({ passed: false, reason_code: "nothing_verified" });
});

test("a criterion whose text looks like the number of another is matched by its text", () => {
  const made = [make, checked("a"), checked("b", FAILED)];
  const found = verdict(made, named(1, "a", "2", "b"), ["2", "1"]);
  expect(found).toMatchObject({ passed: false, uncovered_criteria: ["2"] });
});

test("an agent that reports done: false has verified nothing", () => {
  expect(verdict(up, UP, ["it is up"], false)).toMatchObject({ passed: false, reason_code: "nothing_verified" });
});

test.each<[string, Made, readonly Named[], string[]]>([
  ["once each, in their order", [make], [...both, ...both], ["curl page", "test ! -s log"]],
  ["when they passed before the last change", [page, make], both, ["curl page", "test ! -s log"]],
  ["but not when they have passed since", [make, page], both, ["test ! -s log"]],
  ["but not when they are named by number", [make], named(1, "#4", 2, 4), []],
  ["but not when they are blank", [make], named(1, "  "), []],
  ["when they failed after a pass", [...up, checked("test -e up", FAILED)], UP, ["test -e up"]],
  ["when something of unknown effect ran after them", [...up, unknown("bash tests.sh")], UP, ["test -e up"]],
  [
    "but not when they are known to change something",
    [checked("test -e up", { ...FAILED, effect: "changes" })],
    UP,
    [],
  ],
])("checks that finish names are run %s", (_, made, criteria, commands) => {
  expect(checksToRun(callsOf(made), finishOf(criteria))).toEqual(commands);
});

describe("why a finish does not count", () => {
  const goal = { intent: "restart", success_criteria: ["the page is served"] };
  const why = (made: Made, check = "curl page", proof?: CheckProof) =>
    objectionTo(judgeHere, {
      calls: callsOf(made),
      finish: finishOf([[1, check]]),
      goal,
      ...(proof && { proofOf: () => proof }),
    });
  const anywhere: CheckProof = {
    class: "unproved",
    seen_red: [],
    change: "not_looked_at",
    reason: "it also passes anywhere",
  };
  const mend = "it also passes anywhere; name a check that would fail if the goal were not reached";

  test.each<[string, Made, string, string?, CheckProof?]>([
    ["no call ran it", [make], "no check that ran is named for it; name the command of one"],
    ["it failed", [checked("curl page", FAILED)], 'the check "curl page" does not count: it exited with 1'],
    ["something changed after it", [page, make], "something may have changed after it"],
    ["it changes something", [checked("curl page", { effect: "changes" })], "it may change something"],
    ["it has never failed", [checked("test -d /")], `${mend}. Go on`, "test -d /", anywhere],
    [
      "it has never failed, with a mend",
      [checked("curl -s page")],
      `${mend}, such as "curl -fsS page".`,
      "curl -s page",
      anywhere,
    ],
  ])("is said: %s", async (_why, made, words, check, proof) => {
    const said = await why(made, check, proof);
    expect(said).toContain(`not finished. criterion 1 ("the page is served"): `);
    expect(said).toContain(words);
  });

  test.each(["curl page", "`curl page`", "```bash\ncurl page\n```", "```\ncurl page\n```"])(
    "is nothing for %j",
    async (quoted) => {
      expect(await why([make, page], quoted)).toBeNull();
    },
  );

  test("is examined of checks that hold only", () => {
    const finish = finishOf(named(1, "curl page"));
    expect(checksOf(callsOf([checked("curl page", FAILED)]), finish, goal)).toEqual([]);
    expect(checksOf(callsOf([page]), finish, goal)).toMatchObject([{ index: 0 }]);
  });
});
