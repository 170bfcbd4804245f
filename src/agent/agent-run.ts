// The actions of one agent task, which every backend shares [1.A.6.helpers]. Each reads from the journal what is left to
// do, does it under policy, and records it.
import type { AgentReplied, AgentStopped } from "../domain/agent-events.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { NewEvent } from "../domain/journal.ts";
import { counted } from "../domain/outcome.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import { approvalOfTask, requested } from "../tasks/approval-record.ts";
import { runsOnOf } from "../tasks/plan.ts";
import { openCallsOf } from "../tasks/projection/agent.ts";
import { boundTools } from "../tasks/run-from-outside.ts";
import type { Thread } from "../tasks/thread.ts";
import { agentNext } from "./agent-next.ts";
import { startContent, startFindings } from "./ask-at-start.ts";
import { createCatalogue, usableIn } from "./catalogue.ts";
import type { Judging } from "./judge-call.ts";
import { judgeCalls } from "./judge-calls.ts";
import { makeCall } from "./make-call.ts";
import { mayRun } from "./may-run.ts";
import type { AgentNextAction, AgentRun } from "./port.ts";
import { readReply } from "./read-reply.ts";
import { contextTooSmall, frameOf } from "./room.ts";
import type { AgentRunContext, AgentRunDeps } from "./run-context.ts";
import { createRunWorld } from "./run-world.ts";
import { tokensOf, tokensOfTools } from "./tokens.ts";
import { transcriptOf } from "./transcript.ts";

/** Returns the same run for a task while its thread is open. */
export function createAgentRuns(deps: AgentRunDeps) {
  const runs = new WeakMap<Thread, AgentRun>();
  return async (contract: TaskContract): Promise<AgentRun> => {
    const thread = await deps.threadOf(contract.task_id);
    const run = runs.get(thread) ?? createAgentRun(deps, thread, contract);
    runs.set(thread, run);
    return run;
  };
}

function createAgentRun(deps: AgentRunDeps, thread: Thread, contract: TaskContract): AgentRun {
  const { journal, cancel } = thread;
  let judging: Promise<Judging> | undefined;
  const context: AgentRunContext = {
    deps,
    thread,
    contract,
    judging: () => {
      judging ??= judgingOf(deps, thread, contract);
      return judging;
    },
  };

  const next = (): AgentNextAction => {
    const action = agentNext(journal.projection.agent, deps.agent.limits);
    if (action.is === "finished" || action.is === "stopped") return action;
    if (thread.draining()) return { is: "suspended" };
    // A call that was stopped on the way, and may have had its effect, is asked about also when the task was cancelled.
    const isOpen = action.is === "outcome_unknown" && journal.projection.agent.calls[action.index]?.state === "unknown";
    return cancel.aborted && !isOpen ? { is: "cancelled" } : action;
  };

  return {
    contract,
    next,
    loadTools: async () => {
      if (next().is === "load_tools") await loadTools(context);
    },
    askModel: async () => {
      if (next().is === "ask_model") await askModel(context);
    },
    judgeCalls: async () => {
      if (next().is === "judge_calls") await judgeCalls(context);
    },
    makeCalls: async () => {
      for (let at = next(); at.is === "make_calls"; at = next()) {
        const call = openCallsOf(journal.projection.agent).find(({ state }) => state === "ready");
        if (call === undefined) throw new Error("the next action is make_calls, but no call is ready");
        if (await mayRun(context, call)) await makeCall(context, call);
      }
    },
  };
}

async function judgingOf(deps: AgentRunDeps, { cancel, journal }: Thread, contract: TaskContract): Promise<Judging> {
  const catalogue = await createCatalogue(deps, contract, cancel);
  const { home, judge, agent, toolServers } = deps;
  const worldAfter = createRunWorld(judge, shellContextOf(contract, home));
  return {
    contract,
    catalogue,
    home,
    judge,
    disk: agent.execution.diskOf(contract),
    worldBefore: (index, more = []) => worldAfter(index, [...journal.projection.agent.calls, ...more]),
    protectedResources: agent.protectedResources,
    boundTools: (step, before) => boundTools(deps, [step], { before, signal: cancel }),
    skill_tools: agent.skill_tools,
    server_names: toolServers.names,
  };
}

async function loadTools({ deps, thread, contract, judging }: AgentRunContext): Promise<void> {
  const { model, default_backend, limits } = deps.agent;
  if (model === null) return stop(thread, NO_MODEL);
  if (contract.constraints.require_approval_for.length > 0) deps.gate.warm();
  const { catalogue } = await judging();
  if (thread.cancel.aborted) return;
  const agent_backend = contract.agent_backend ?? default_backend;
  const tools = [...catalogue.entries.keys()];
  const missing = [...catalogue.missing, ...withoutRoom(catalogue.left_out)];
  const { turns, calls, minutes } = limits;
  const body = { agent_backend, model: model.name, tools, missing, budget: { turns, calls, minutes } };
  const findings = await startFindings(deps.agent, contract);
  if (findings.length === 0) return thread.journal.commit([{ kind: "agent_equipped", body }]);
  const content = startContent({ contract, ...runsOnOf(thread.journal.projection), findings });
  const approval = approvalOfTask(deps, contract, "agent", content);
  const events: NewEvent[] = [
    { kind: "agent_equipped", body },
    { kind: "policy_judged", body: { findings } },
    requested(approval),
  ];
  return thread.journal.commit(events, [{ on: "approval_created", approval }]);
}

const withoutRoom = (names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [`${counted(names.length, "tool")} left out, which do not fit into the model's context: ${names.join(", ")}`];

/** A reply that arrives after the task was cancelled, or while the server stops, is dropped. */
async function askModel({ deps, thread, contract, judging }: AgentRunContext): Promise<void> {
  const { journal, cancel, leaving } = thread;
  const { model } = deps.agent;
  if (model === null) return stop(thread, NO_MODEL);
  const { catalogue } = await judging();
  const { turns, calls } = journal.projection.agent;
  const { offered: tools, missing, left_out } = catalogue;
  const frame = frameOf(deps, contract, { missing, left_out, ...usableIn(catalogue) });
  const context = await model.context();
  const room = { prompt_tokens: context.prompt_tokens, tools_tokens: tokensOfTools(tools) };
  const messages = transcriptOf({ ...frame, turns, calls, limits: deps.agent.limits }, room);
  if (messages === null) return stop(thread, contextTooSmall(contract, frame, { ...room, ...context }));
  const signal = AbortSignal.any([cancel, leaving]);
  await delay(waitBefore(turns), signal);
  const data = calls.flatMap(({ result }) => (result === null ? [] : [result.stdout, result.stderr]));
  const reply = await model.reply({ messages, tools, data }, signal);
  if (cancel.aborted || leaving.aborted) return;
  const estimated = tokensOf(messages) + room.tools_tokens;
  const body = readReply(reply, { turn: turns.length + 1, calls, catalogue, redact: deps.redact, estimated });
  await journal.commit([{ kind: "agent_replied", body }]);
}

/** Resolves after the time, or at once when the signal aborts. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  if (signal.aborted) resolve();
  return promise.finally(() => clearTimeout(timer));
}

/** A model that restarts gets a moment before it is asked again. */
const WAITS_MS = [1_000, 5_000];

function waitBefore(turns: readonly AgentReplied[]): number {
  const answered = turns.findLastIndex(({ fault }) => fault === null || !fault.startsWith("unreachable"));
  const unreachable = turns.length - 1 - answered;
  return unreachable === 0 ? 0 : (WAITS_MS[unreachable - 1] ?? 0);
}

const NO_MODEL: AgentStopped = { reason_code: "model_unavailable", message: "The agent model is no longer set." };

const stop = ({ journal }: Thread, body: AgentStopped): Promise<void> =>
  journal.commit([{ kind: "agent_stopped", body }]);
