// Categories that code finds only add approvals, and only those that the contract names.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TaskContract } from "../../../../src/domain/contract.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { consequenceFindings, stepConsequences } from "../../../../src/engine/policy/category-consequences.ts";
import { judgePlan, permissionOf, shellContextOf } from "../../../../src/engine/policy/judge-plan.ts";
import { CONSEQUENCES } from "../../../../src/guard/codes.ts";
import { ALL_PROGRAM_ROWS } from "../../../../src/guard/test/unit/program-rows.ts";
import { aContract, cmd, mcpCall } from "../../../support/builders.ts";

const LINES: readonly { readonly command: string; readonly has: readonly string[] }[] = ALL_PROGRAM_ROWS.flatMap(
  ({ command, consequences: has }) => (has === undefined ? [] : [{ command, has }]),
);

const HOME = "/home/op";
const STRICT = { allow: 0, ask: 1, deny: 2 } as const;
const naming = (require_approval_for: string[]) =>
  aContract({ constraints: { implicit_scope: [], require_approval_for, max_minutes: 1 } });

const findingsOn = (step: Step, contract: TaskContract) =>
  consequenceFindings(step, 0, contract, stepConsequences(step, shellContextOf(contract, HOME)));

describe("a category that code finds", () => {
  test("never makes the verdict weaker, and asks exactly where the command has a consequence that is named", () => {
    fc.assert(
      fc.property(fc.constantFrom(...LINES), fc.subarray([...CONSEQUENCES]), ({ command, has }, names) => {
        const contract = naming(["in other words", ...names]);
        const context = { home: HOME, remote: false };
        const plan = { contract, steps: [cmd(command)], safety_level: "standard", intent: "deploy", context } as const;
        const rules = judgePlan({ ...plan, proved: false });
        const found = findingsOn(cmd(command), contract);
        const after = permissionOf([...rules, ...found]);
        expect(STRICT[after]).toBeGreaterThanOrEqual(STRICT[permissionOf(rules)]);
        expect(found.map(({ category }) => category).sort()).toEqual(
          has.filter((name) => names.some((one) => one === name)).toSorted(),
        );
      }),
      { numRuns: 300 },
    );
  });

  test("is none of a tool call, and none that only resembles a name", () => {
    expect(findingsOn(mcpCall(), naming([...CONSEQUENCES]))).toEqual([]);
    expect(findingsOn(cmd("reboot"), naming(["Reboots", "reboot"]))).toEqual([]);
  });
});
