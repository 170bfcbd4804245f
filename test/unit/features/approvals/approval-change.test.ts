// What a yes to each of many approvals changes: the judge is asked for one at a time, and an inbox never fails by it.
import { describe, expect, test } from "vitest";
import type { Approval } from "../../../../src/domain/approval.ts";
import { OrchError } from "../../../../src/domain/errors.ts";
import { createApprovalChange } from "../../../../src/features/approvals/inbox.ts";
import type { Judge } from "../../../../src/ports.ts";
import { cmd } from "../../../support/builders.ts";
import { judgeHere } from "../../../support/judge-here.ts";
import { anApproval } from "../../engine/tasks/a-task.ts";

const plan = (command: string): Approval => {
  const approval = anApproval({ digest: command });
  return {
    ...approval,
    content: { ...approval.content, steps: [cmd(command)], proof: undefined } as Approval["content"],
  };
};

/** Refuses the calls of these numbers. */
function judgeThat(error: Error, ...refused: number[]) {
  const seen = { calls: 0, at_once: 0, most: 0 };
  const judge: Judge = async (judgement, ...given) => {
    seen.most = Math.max(seen.most, ++seen.at_once);
    try {
      await new Promise(setImmediate);
      if (refused.includes(++seen.calls)) throw error;
      return await judgeHere(judgement, ...given);
    } finally {
      seen.at_once -= 1;
    }
  };
  return { changesOf: createApprovalChange({ judge, home: "/home/u" }), seen };
}

describe("what many approvals change", () => {
  const approvals = [plan("touch a"), plan("cat b"), plan("touch c")];

  test("is judged one after another, and once for each digest", async () => {
    const { changesOf, seen } = judgeThat(new Error("unused"));
    expect(await changesOf(approvals)).toEqual(["changes", "looks", "changes"]);
    expect(await changesOf(approvals)).toEqual(["changes", "looks", "changes"]);
    expect(seen).toEqual({ calls: 3, at_once: 0, most: 1 });
  });

  test("is unknown where a judgement is lost, and is judged the next time", async () => {
    const { changesOf } = judgeThat(new Error("the thread that judges has ended"), 1);
    expect(await changesOf(approvals)).toEqual(["cannot_tell", "looks", "changes"]);
    expect(await changesOf(approvals)).toEqual(["changes", "looks", "changes"]);
  });

  test("is not asked for again in the same list while the judge is busy", async () => {
    const { changesOf, seen } = judgeThat(new OrchError("busy", "Other texts are being judged."), 2);
    expect(await changesOf(approvals)).toEqual(["changes", "cannot_tell", "cannot_tell"]);
    expect(seen.calls).toBe(2);
    expect(await changesOf(approvals)).toEqual(["changes", "looks", "changes"]);
  });
});
