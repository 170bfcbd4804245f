import { describe, expect, it } from "vitest";
import { checkWarnings } from "../../../../src/api/operations/check-warnings.ts";
import type { Examination } from "../../../../src/domain/proof.ts";
import type { Step } from "../../../../src/domain/step.ts";
import type { CheckExaminer } from "../../../../src/engine/tasks/check-looks.ts";
import { aContract } from "../../../support/builders.ts";

const GREEN: Examination = {
  constant: null,
  chance: null,
  names_target: false,
  reads_before: false,
  joined: false,
  decoy: null,
  red_at: null,
  control: { answer: "green", exit_code: 0, reason: null, world: "empty", wrote: false },
};

const check = (value: string): Step => ({ kind: "check", value });

describe("warnings of checks", () => {
  it("try the first 50 checks, and one warning says so of the rest", async () => {
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
    const steps = Array.from({ length: 120 }, (_, at) => check(`test -e /etc/${at}`));
    const warnings = await checkWarnings({ examiner, backendOf: () => null }, { contract: aContract(), steps });
    expect(tried).toEqual(steps.slice(0, 50).map(({ value }) => value));
    expect(warnings.map(({ step_index }) => step_index)).toEqual(Array.from({ length: 51 }, (_, at) => at));
    expect(warnings.at(-1)?.reason).toContain("only the first 50 checks are tried here");
  });

  it("say that a line of a stored check decides nothing, and try no such check (promises 3.2)", async () => {
    const examiner: CheckExaminer = {
      prepare: async () => undefined,
      examine: async () => {
        throw new Error("no look at it is worth anything");
      },
      mendsOf: async () => [],
      redRun: () => {
        throw new Error("nothing runs here");
      },
    };
    const steps = [check("grep -qx up health.txt\ngrep -qx 7 release.txt")];
    const warnings = await checkWarnings({ examiner, backendOf: () => null }, { contract: aContract(), steps });
    expect(warnings).toMatchObject([{ step_index: 0, reason: expect.stringContaining("line 1 decides nothing") }]);
  });
});
