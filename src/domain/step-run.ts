// What every backend derives from a step and its task: the time limit, the environment, and the one-line texts of the step and
// of its output. Without a schema, because the flow's script carries no library.

import type { AgentStep } from "./agent-step.ts";
import { canonicalJson } from "./json-values.ts";
import type { StepResult } from "./step.ts";

/** The limit of one command or one tool call [8.max_minutes]. The task as a whole has no limit. */
export const DEFAULT_MAX_MINUTES = 10;

export const maxMs = ({ constraints }: { readonly constraints: { readonly max_minutes: number } }): number =>
  constraints.max_minutes * 60_000;

type Given = { readonly task_id: string; readonly target: Readonly<Record<string, string>>; readonly payload: object };

/**
 * Passes the task to a shell step: `ORCH_TARGET_<KEY>` for each target attribute, `ORCH_PAYLOAD` (canonical JSON) and
 * `ORCH_TASK_ID`. orch never inserts them into the text of a command.
 */
export const stepEnvironment = ({ task_id, target, payload }: Given): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(target).map(([key, value]) => [`ORCH_TARGET_${key.toUpperCase()}`, value])),
  ORCH_PAYLOAD: canonicalJson(payload),
  ORCH_TASK_ID: task_id,
});

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
