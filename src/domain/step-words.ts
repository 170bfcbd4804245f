// One-line texts of a step and of its output, for the routing model and for readers of the evidence.
import type { AgentStep } from "./agent-step.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { StepResult } from "./step.ts";

/** The `value` of the step, or its tool with the arguments as canonical JSON. */
export function commandText(step: AgentStep): string {
  if (step.kind === "mcp_call") return `${step.server}.${step.tool} ${canonicalJson(step.arguments)}`;
  return step.kind === "skill_tool" ? `${step.skill}.${step.tool} ${canonicalJson(step.arguments)}` : step.value;
}

const MAX_LINE = 200;

/** The last line of stderr when the step failed, else of stdout. The other stream counts when the first is empty. */
export function lastWords({ status, stdout, stderr }: StepResult): string {
  const [first, second] = status === "passed" ? [stdout, stderr] : [stderr, stdout];
  return lastLine(first) || lastLine(second);
}

function lastLine(text: string): string {
  const trimmed = text.trimEnd();
  const line = trimmed.slice(trimmed.lastIndexOf("\n") + 1);
  return line.slice(0, MAX_LINE).toWellFormed();
}
