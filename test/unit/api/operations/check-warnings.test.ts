import { describe, expect, it } from "vitest";
import { checkWarnings } from "../../../../src/api/operations/check-warnings.ts";
import type { Step } from "../../../../src/domain/step.ts";
import type { CheckExaminer } from "../../../../src/engine/tasks/check-looks.ts";
import { GREEN } from "../../../support/agent-run.ts";
import { aContract } from "../../../support/builders.ts";

const check = (value: string): Step => ({ kind: "check", value });

/** The warnings of checks, and the checks that were tried. */
async function warned(steps: Step[]) {
  const tried: string[] = [];
  const examiner: CheckExaminer = {
    prepare: async () => undefined,
    examine: async ({ text }) => {
      tried.push(text);
      return GREEN;
    },
    mendsOf: async () => [],
    redRun: () => {
      throw new Error("nothing runs here");
    },
  };
  return {
    tried,
    warnings: await checkWarnings({ examiner, backendOf: () => null }, { contract: aContract(), steps }),
  };
}

describe("warnings of checks", () => {
  it("try the first 50 checks, and one warning says so of the rest", async () => {
    const steps = Array.from({ length: 120 }, (_, at) => check(`test -e /etc/${at}`));
    const { tried, warnings } = await warned(steps);
    expect(tried).toEqual(steps.slice(0, 50).map(({ value }) => value));
    expect(warnings.map(({ step_index }) => step_index)).toEqual(Array.from({ length: 51 }, (_, at) => at));
    expect(warnings.at(-1)?.reason).toContain("only the first 50 checks are tried here");
  });

  it("say that a line of a stored check decides nothing, and try no such check (promises 3.2)", async () => {
    const { tried, warnings } = await warned([check("grep -qx up health.txt\ngrep -qx 7 release.txt")]);
    expect(warnings).toMatchObject([{ step_index: 0, reason: expect.stringContaining("line 1 decides nothing") }]);
    expect(tried).toEqual([]);
  });
});
