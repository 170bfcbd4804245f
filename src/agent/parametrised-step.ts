// A step of a draft with parameters in every place where a value of the contract is, and each place where one stays.
import type { TaskContract } from "../domain/contract.ts";
import type { Sop } from "../domain/sop.ts";
import type { Step } from "../domain/step.ts";
import type { ShellContext } from "../guard/guard.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import { withoutTask } from "../tasks/without-task.ts";
import { type LiteralArgument, withParameters } from "./argument-parameters.ts";
import { type LiteralValue, withTargetVariables } from "./parameters.ts";

/** A value that is still in the step. `where`: a field of it, with a JSON pointer for what is in it. */
export type LeftLiteral = LiteralValue & { readonly step_index: number; readonly where: string };

type Parametrised = { readonly step: Step; readonly left: readonly LeftLiteral[] };
export type Parametriser = (step: Step, step_index: number) => Parametrised;

export const parametriser =
  (contract: TaskContract, shell: ShellContext): Parametriser =>
  (step, step_index) => {
    const placed = (where: string, left: readonly LiteralValue[]): LeftLiteral[] =>
      left.map(({ key, value, why }) => ({ step_index, value, key, where, why }));
    if (step.kind === "wait") return { step, left: [] };
    if (step.kind === "mcp_call") {
      const pointed = (field: string, left: readonly LiteralArgument[]) =>
        left.flatMap(({ where, ...one }) => placed(`${field}${where}`, [one]));
      const { value: args, left } = withParameters(step.arguments, contract);
      const looks = lookWith(step, contract, shell);
      if (step.expect === undefined)
        return {
          step: { ...step, arguments: args, ...looks.fields },
          left: [...pointed("arguments", left), ...looks.left.flatMap(({ field, of }) => placed(field, of))],
        };
      const { equals, contains } = step.expect;
      const wanted = { ...(equals !== undefined && { equals }), ...(contains !== undefined && { contains }) };
      const expected = withParameters(wanted, contract);
      const { equals: value, contains: text } = expected.value;
      const expect = {
        ...step.expect,
        ...(value !== undefined && { equals: value }),
        ...(typeof text === "string" && { contains: text }),
      };
      return {
        step: { ...step, arguments: args, expect },
        left: [...pointed("arguments", left), ...pointed("expect", expected.left)],
      };
    }
    const { text, left } = withTargetVariables(step.value, contract, shell);
    const changed = { step: { ...step, value: text }, left: placed(step.kind, left) };
    if (step.kind !== "cmd") return changed;
    const looks = lookWith(step, contract, shell);
    return {
      step: { ...step, value: text, ...looks.fields },
      left: [...changed.left, ...looks.left.flatMap(({ field, of }) => placed(field, of))],
    };
  };

/** The commands beside a step that only look. */
function lookWith(
  step: { readonly preview?: string | undefined; readonly reconcile?: string | undefined },
  contract: TaskContract,
  shell: ShellContext,
) {
  const looks = (["preview", "reconcile"] as const).flatMap((field) => {
    const command = step[field];
    if (command === undefined) return [];
    const { text, left } = withTargetVariables(command, contract, shell);
    return [{ field, text, of: left }];
  });
  return { fields: Object.fromEntries(looks.map(({ field, text }) => [field, text])), left: looks };
}

/** The steps of a stored procedure with parameters in the place of its target's values. */
export function parametrised(
  { intent, target, steps }: Pick<Sop, "intent" | "target" | "steps">,
  home: string,
): Step[] {
  const contract = withoutTask(intent, target);
  const parametrise = parametriser(contract, shellContextOf(contract, home));
  return steps.map((step, index) => parametrise(step, index).step);
}
