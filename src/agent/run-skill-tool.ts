// Calls a tool of a skill for an agent (spec section 2, tools module): it may call the tool servers in scope, within this one
// call, and what it gives is the output of a step.

import type { SkillToolStep } from "../domain/agent-step.ts";
import { shortened } from "../domain/data-document.ts";
import { wordsOf } from "../domain/reason.ts";
import type { StepResult } from "../domain/step.ts";
import { maxMs } from "../domain/time-limit.ts";
import { serverScope } from "../policy/judge-plan.ts";
import type { StepObserver } from "../ports.ts";
import type { AgentWork } from "./agent-work.ts";
import type { SkillToolContext } from "./port.ts";

type Place = { readonly index: number; readonly attempt: number; readonly step: SkillToolStep };

const HALF_OUTPUT = 32_768;

export async function runSkillTool(
  work: AgentWork,
  { index, attempt, step }: Place,
  observer: StepObserver,
): Promise<void> {
  const { deps } = work;
  if (!(await observer.started(index, attempt))) return;
  const started_at = deps.clock().toISOString();
  const begun = performance.now();
  const { ok, text, is_open } = await endOf(work, step);
  const output = deps.redact(text);
  const kept = shortened(output, HALF_OUTPUT);
  const bytes = Buffer.byteLength(output);
  const result: StepResult = {
    ...{ index, attempt, kind: "skill_tool", status: ok ? "passed" : is_open ? "outcome_unknown" : "failed" },
    exit_code: ok ? 0 : 1,
    ...{ stdout: ok ? kept : "", stderr: ok ? "" : kept, stdout_bytes: ok ? bytes : 0, stderr_bytes: ok ? 0 : bytes },
    ...{ truncated: kept !== output, started_at, duration_ms: Math.round(performance.now() - begun) },
    timed_out: false,
  };
  observer.finished(result);
}

async function endOf(work: AgentWork, { skill, tool: name, arguments: given }: SkillToolStep) {
  const tool = work.deps.agent.skill_tools.find((one) => one.skill === skill && one.name === name);
  if (tool === undefined)
    return { ok: false, is_open: false, text: `there is no tool ${name} of skill ${skill} any more` };
  const { ctx, hasUnanswered } = contextOf(work);
  const failed = (text: string) => ({ ok: false, is_open: tool.effect === "changes" && hasUnanswered(), text });
  try {
    const value = await tool.run(ctx, tool.parameters.parse(given) as never);
    const text = JSON.stringify(value) ?? "null";
    const isRefusal = typeof value === "object" && value !== null && "ok" in value && value["ok"] === false;
    return isRefusal ? failed(text) : { ok: true, is_open: false, text };
  } catch (error) {
    return failed(wordsOf(error));
  }
}

/** Whether a call got no answer decides what is known of the tool. A copy of the contract: whatever a tool does to it, policy judges by what was submitted. */
function contextOf({ deps, thread, contract }: AgentWork) {
  let unanswered = false;
  const limits = { limit_ms: maxMs(contract), signal: thread.cancel };
  const permitted = (server: string): void => {
    const [found] = serverScope(server, contract);
    if (found !== undefined) throw new Error(found.reason);
  };
  const ctx: SkillToolContext = {
    contract: structuredClone(contract),
    clock: deps.clock,
    signal: thread.cancel,
    call: async (server, tool, args) => {
      permitted(server);
      const answer = await deps.toolServers.call({ server, tool, arguments: args }, limits);
      if (!answer.ok && answer.executed === "unknown") unanswered = true;
      return answer;
    },
    listTools: async (server) => {
      permitted(server);
      return deps.toolServers.listTools(server, limits);
    },
  };
  return { ctx, hasUnanswered: () => unanswered };
}
