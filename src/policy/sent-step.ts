// What a step sends when it runs [5.approval.flow]: a tool call with its parameters resolved, a shell step with the values of the
// contract that its text can read. The backends, the approvals and the prompts all take it from here.
import type { AgentStep } from "../domain/agent-events.ts";
import type { Json } from "../domain/json.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { type Given, stepEnvironment } from "../domain/step-run.ts";
import { type ParameterSource, resolveArguments } from "./resolve-arguments.ts";

/** The step with its parameters resolved, in the arguments and in what it expects. Other steps are sent as they are. */
export function sentStep<S extends AgentStep>(step: S, source: ParameterSource): S {
  if (step.kind !== "mcp_call") return step;
  const sent = { ...step, arguments: resolveArguments(step.arguments, source) };
  if (step.expect === undefined) return sent;
  const { equals, contains } = step.expect;
  const filled = resolveArguments(
    { ...(equals !== undefined && { equals }), ...(contains !== undefined && { contains }) },
    source,
  );
  return { ...sent, expect: { ...step.expect, ...filled, ...textOf(filled["contains"]) } };
}

/** A parameter of `contains` can be any value; what is looked for is its text. */
const textOf = (value: Json | undefined): { contains?: string } =>
  value === undefined ? {} : { contains: typeof value === "string" ? value : canonicalJson(value) };

/**
 * The variables of the contract that a shell step is given. Its text does not show which of them it reads: every program that
 * it starts inherits all of them.
 */
export const environmentOf = (step: AgentStep, contract: Given): Record<string, string> =>
  step.kind === "cmd" || step.kind === "check" ? stepEnvironment(contract) : {};
