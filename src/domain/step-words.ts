// A step and its last output in one line each, for the routing model and for readers of the evidence.
import type { AgentStep } from "./agent-step.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { StepResult } from "./step.ts";

/** A step in one line, as the routing model and a reader of the evidence see it. */
export function commandText(step: AgentStep): string {
  if (step.kind === "mcp_call") return `${step.server}.${step.tool} ${canonicalJson(step.arguments)}`;
  return step.kind === "skill_tool" ? `${step.skill}.${step.tool} ${canonicalJson(step.arguments)}` : step.value;
}

const LAST_WORDS = 200;

/** The last line a step wrote: of its errors when it failed, else of its output. Data, and not orch's own words. */
export function lastWords({ status, stdout, stderr }: StepResult): string {
  const [first, second] = status === "passed" ? [stdout, stderr] : [stderr, stdout];
  return lastLine(first) || lastLine(second);
}

function lastLine(text: string): string {
  const trimmed = text.trimEnd();
  const line = trimmed.slice(trimmed.lastIndexOf("\n") + 1);
  return line.slice(0, LAST_WORDS).toWellFormed();
}
