// What a step sends when it runs [5.approval.flow]: a tool call with its parameters resolved, a shell step with the values of the
// contract that its text can read. The backends, the approvals and the prompts all take it from here.
import type { AgentStep } from "../domain/agent-events.ts";
import { type Given, stepEnvironment } from "../domain/step-run.ts";
import { type ParameterSource, resolveArguments } from "./resolve-arguments.ts";

/** The step with its parameters resolved, in the arguments and in what it expects. Other steps are sent as they are. */
export function sentStep<S extends AgentStep>(step: S, source: ParameterSource): S {
  if (step.kind !== "mcp_call") return step;
  const sent = { ...step, arguments: resolveArguments(step.arguments, source) };
  const { expect } = step;
  if (expect?.equals === undefined) return sent;
  return { ...sent, expect: { ...expect, ...resolveArguments({ equals: expect.equals }, source) } };
}

/** Programs and forms that read every variable at once, or one whose name the text does not spell out. */
const READS_ANY =
  /\$\{!|\b(?:env|printenv|environ|ENVIRON|ENV|compgen|declare|typeset)\b|\bset\b(?!\s+[-+\w])|\bexport\b(?!\s+\w)|ORCH_/;

/** The variables of the contract that the text of a shell step can read, with their values. Too many rather than too few. */
export function environmentRead(step: AgentStep, contract: Given): Record<string, string> {
  if (step.kind !== "cmd" && step.kind !== "check") return {};
  const all = Object.entries(stepEnvironment(contract)).sort(([a], [b]) => b.length - a.length);
  const rest = all.reduce((left, [name]) => left.replaceAll(name, ""), step.value);
  const read = READS_ANY.test(rest) ? all : all.filter(([name]) => step.value.includes(name));
  return Object.fromEntries(read.reverse());
}
