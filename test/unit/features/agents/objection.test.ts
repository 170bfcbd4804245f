import { describe, expect, test } from "vitest";
import type { CheckProof } from "../../../../src/domain/proof.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { checksOf, checksToRun, objectionTo } from "../../../../src/features/agents/finish.ts";
import { agentJournal, changed, checked } from "../../../support/agent-journal.ts";
import { judgeHere } from "../../../support/judge-here.ts";

type Made = Parameters<typeof agentJournal>[0][number];
type Named = { criterion: string | number; evidence_check: string | number };

describe("why a finish does not count", () => {
  const failing = { result: { status: "failed" as const, exit_code: 7 } };
  const callsOf = (made: Made) => projection(agentJournal([made])).agent.calls;
  const one: Named[] = [{ criterion: 1, evidence_check: "curl page" }];
  const goal = { intent: "restart", success_criteria: ["the page is served"] };
  const why = (made: Made, criteria = one) =>
    objectionTo(judgeHere, { calls: callsOf(made), finish: { summary: "done", criteria, done: true }, goal });

  test.each<[string, Made, string]>([
    ["no call ran it", [changed("make")], "no check that ran is named for it; name the command of one"],
    ["it failed", [checked("curl page", failing)], 'the check "curl page" does not count: it exited with 7'],
    ["something changed after it", [checked("curl page"), changed("make")], "something may have changed after it"],
    ["it changes something", [checked("curl page", { effect: "changes" })], "it may change something"],
  ])("because %s", async (_why, made, words) => {
    expect(await why(made)).toContain(`not finished. criterion 1 ("the page is served"): `);
    expect(await why(made)).toContain(words);
  });

  test("because it has never been seen to fail, with the mend where there is one", async () => {
    const proof: CheckProof = {
      class: "unproved",
      seen_red: [],
      change: "not_looked_at",
      reason: "it also passes anywhere",
    };
    const objection = (command: string) => {
      const criteria = [{ criterion: 1, evidence_check: command }];
      const finish = { summary: "done", criteria, done: true };
      return objectionTo(judgeHere, { calls: callsOf([checked(command)]), finish, goal, proofOf: () => proof });
    };
    const words = "it also passes anywhere; name a check that would fail if the goal were not reached";
    expect(await objection("curl -s page")).toContain(`${words}, such as "curl -fsS page".`);
    expect(await objection("test -d /")).toContain(`${words}. Go on`);
  });

  test("is nothing when its checks hold", async () => {
    expect(await why([changed("make"), checked("curl page")])).toBeNull();
  });

  test.each(["`curl page`", "```bash\ncurl page\n```", "```\ncurl page\n```"])("is nothing for %j", async (quoted) => {
    const criteria = [{ criterion: 1, evidence_check: quoted }];
    expect(await why([changed("make"), checked("curl page")], criteria)).toBeNull();
  });

  test("only checks that hold are examined, and a check that is known to change something is not run again", async () => {
    const finish = { summary: "done", criteria: one, done: true };
    expect(checksOf(callsOf([checked("curl page", failing)]), finish, goal)).toEqual([]);
    expect(checksOf(callsOf([checked("curl page")]), finish, goal)).toMatchObject([{ index: 0 }]);
    const changing = callsOf([checked("curl page", { ...failing, effect: "changes" })]);
    expect(checksToRun(changing, finish)).toEqual([]);
  });
});
