// Makes one call of an agent, as one step: a command, a check, a call of a tool server, or a tool of a skill.
import type { AgentCall, AgentStep, SkillToolStep } from "../../domain/agent-events.ts";
import type { TaskContract } from "../../domain/contract.ts";
import { shortened } from "../../domain/data-document.ts";
import { wordsOf } from "../../domain/errors.ts";
import { HandlerLost } from "../../domain/skill.ts";
import type { Step, StepResult } from "../../domain/step.ts";
import { maxMs } from "../../domain/step-run.ts";
import { stepConsequences } from "../../engine/policy/category-consequences.ts";
import { serverScope, shellContextOf } from "../../engine/policy/judge-plan.ts";
import { toolListOf } from "../../engine/tasks/plan.ts";
import { withDelivery } from "../../engine/tasks/progress.ts";
import { observeSteps, tracing } from "../../engine/tasks/thread.ts";
import type { Clock, OfferedToolContext, StepObserver, ToolServers } from "../../ports.ts";
import type { AgentRunContext } from "./judge-calls.ts";

/**
 * Makes one call of an agent: its start is durable before it has any effect, its end right after it ended. orch never repeats a
 * call that was cut off (D-134).
 */
export async function makeCall(
  context: AgentRunContext,
  { index, attempt, step }: Pick<AgentCall, "index" | "attempt"> & { readonly step: AgentStep },
): Promise<void> {
  const { deps, thread, contract } = context;
  const observer = observeSteps(thread, null);
  if (step.kind === "skill_tool") await runSkillTool(context, { index, attempt, step }, observer);
  else {
    // What a model writes is literal: `${payload.x}` in it would give a tool what the model was not shown (D-147).
    const task_contract = step.kind === "mcp_call" ? { ...contract, target: {}, payload: {} } : contract;
    const request = { task_contract, steps: [step], first_index: index, attempt, ...tracing(thread) };
    const results: StepResult[] = [];
    const holding = { ...observer, finished: (result: StepResult) => void results.push(result) };
    await deps.agent.execution.run(request, holding, thread.cancel);
    const consequences = results.some(({ status }) => status === "failed")
      ? await consequencesOf(context, index, step)
      : null;
    for (const result of results) observer.finished(withDelivery(step, consequences, result));
  }
  await thread.journal.flush();
}

/** In what the calls before it have left. */
async function consequencesOf({ deps, contract, judging }: AgentRunContext, index: number, step: Step) {
  const { worldBefore } = await judging();
  const shell = { ...shellContextOf(contract, deps.home), world: await worldBefore(index) };
  return deps.judge(stepConsequences, step, shell);
}

// Runs a tool of a skill [2.skill.tools]. It may call the tool servers in scope, within this one call, and its value is the output of a step.

type ToolStepPlace = { readonly index: number; readonly attempt: number; readonly step: SkillToolStep };

const HALF_OUTPUT = 32_768;

async function runSkillTool(
  context: AgentRunContext,
  { index, attempt, step }: ToolStepPlace,
  observer: StepObserver,
): Promise<void> {
  const { deps } = context;
  if (!(await observer.started(index, attempt))) return;
  const started_at = deps.clock().toISOString();
  const begun = performance.now();
  const { ok, text, is_open } = await endOf(
    { ...context, traceparent: context.thread.traceparentOf?.({ index, attempt }) },
    step,
  );
  const output = deps.redact(text);
  const kept = shortened(output, HALF_OUTPUT);
  const bytes = Buffer.byteLength(output);
  const result: StepResult = {
    index,
    attempt,
    kind: "skill_tool",
    status: ok ? "passed" : is_open ? "outcome_unknown" : "failed",
    exit_code: ok ? 0 : 1,
    stdout: ok ? kept : "",
    stderr: ok ? "" : kept,
    stdout_bytes: ok ? bytes : 0,
    stderr_bytes: ok ? 0 : bytes,
    truncated: kept !== output,
    started_at,
    duration_ms: Math.round(performance.now() - begun),
    timed_out: false,
  };
  observer.finished(result);
}

async function endOf(
  context: AgentRunContext & Pick<ToolRun, "traceparent">,
  { skill, tool: name, arguments: given }: SkillToolStep,
) {
  const tool = context.deps.agent.skill_tools.find((one) => one.skill === skill && one.name === name);
  if (tool === undefined) return { ok: false, is_open: false, text: `skill ${skill} no longer has a tool ${name}` };
  const { ctx, hasUnanswered } = toolContextOf(context);
  const failed = (text: string, isLost = false) => ({
    ok: false,
    is_open: tool.effect === "changes" && (isLost || hasUnanswered()),
    text,
  });
  try {
    const value = await tool.run(ctx, given);
    const text = JSON.stringify(value) ?? "null";
    const isRefusal = typeof value === "object" && value !== null && "ok" in value && value["ok"] === false;
    return isRefusal ? failed(text) : { ok: true, is_open: false, text };
  } catch (error) {
    return failed(wordsOf(error), error instanceof HandlerLost);
  }
}

type ToolRun = {
  readonly deps: { readonly clock: Clock; readonly toolServers: Pick<ToolServers, "call" | "listTools"> };
  readonly thread: { readonly cancel: AbortSignal };
  readonly contract: TaskContract;
  /** Of the step that the tool runs as. */
  readonly traceparent?: string | undefined;
};

/** A call without a response makes the tool's outcome unknown (D-073). Policy judges by the original contract. */
export function toolContextOf({ deps, thread, contract, traceparent }: ToolRun) {
  let unanswered = false;
  const bounds = { limit_ms: maxMs(contract), signal: thread.cancel };
  const permitted = (server: string): void => {
    const [match] = serverScope(server, contract);
    if (match !== undefined) throw new Error(match.reason);
  };
  const ctx: OfferedToolContext = {
    contract: structuredClone(contract),
    clock: deps.clock,
    signal: thread.cancel,
    call: async (server, tool, args) => {
      permitted(server);
      const response = await deps.toolServers.call({ server, tool, arguments: args }, { ...bounds, traceparent });
      if (!response.ok && response.executed === "unknown") unanswered = true;
      return response;
    },
    listTools: async (server) => {
      permitted(server);
      return toolListOf(deps.toolServers.listTools(server, bounds));
    },
  };
  return { ctx, hasUnanswered: () => unanswered };
}
