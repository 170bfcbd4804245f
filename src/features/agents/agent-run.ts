// Runs the actions of one agent task, which every backend shares [1.A.6.helpers]. Each reads from the journal what is left to do,
// does it under policy, and records it.

import { z } from "zod";
import {
  type AgentCall,
  type AgentReplied,
  type AgentStopped,
  type Finish,
  FinishCall,
} from "../../domain/agent-events.ts";
import type { TaskContract } from "../../domain/contract.ts";
import { shortened } from "../../domain/data-document.ts";
import type { Finding } from "../../domain/finding.ts";
import type { NewEvent } from "../../domain/journal.ts";
import { JsonValue, redactedJson } from "../../domain/json.ts";
import { counted } from "../../domain/printable.ts";
import { isFoundAsBefore, shellContextOf } from "../../engine/policy/judge-plan.ts";
import { approvalOfTask, requested } from "../../engine/tasks/approval-record.ts";
import { boundTools, recorded, runsOnOf, staleText, unreadToolsText } from "../../engine/tasks/plan.ts";
import type { Thread } from "../../engine/tasks/thread.ts";
import type { WrittenCall } from "./agent-message.ts";
import { startContent, startFindings } from "./ask-at-start.ts";
import { type AgentCatalogue, createCatalogue, FINISH, SHELL, usableIn } from "./catalogue.ts";
import {
  agentProofs,
  checksOf,
  checksToRun,
  commandsNamed,
  examineNamed,
  hasHeardWhatIsHeld,
  isHeldAgainst,
  objectionTo,
} from "./finish.ts";
import { openCallsOf } from "./fold.ts";
import { createRunWorld, findingsOn, type Judging, notACall } from "./judge-call.ts";
import { type AgentRunContext, type AgentRunDeps, callDigests, judgeCalls } from "./judge-calls.ts";
import { makeCall } from "./make-call.ts";
import { type AgentNextAction, type AgentRun, agentNext, type ModelReply } from "./port.ts";
import { MAX_CALLS } from "./stop-conditions.ts";
import { contextTooSmall, frameOf, tokensOf, tokensOfTools, transcriptOf } from "./transcript.ts";

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
        if (!(await mayRun(context, call))) continue;
        const { step } = call;
        await (step === null ? finish(context, call) : makeCall(context, { ...call, step }));
      }
    },
  };
}

async function judgingOf(deps: AgentRunDeps, thread: Thread, contract: TaskContract): Promise<Judging> {
  const { cancel, journal, leaving } = thread;
  const signal = AbortSignal.any([cancel, leaving]);
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
    boundTools: (step, before) =>
      boundTools(deps, [step], before === undefined ? { signal: cancel } : { before, signal }),
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
  const body = recordedReply(reply, { turn: turns.length + 1, calls, catalogue, redact: deps.redact, estimated });
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

const NOT_MADE: ReadonlySet<AgentCall["state"]> = new Set(["refused", "rejected", "faulty"]);

/** A model that does not hear why its checks do not count ends its run by this many attempts. */
const MAX_FINISHES = 3;

/** Does not finish while a call of the same reply was not made, or while a check does not count: the answer says why (D-195). */
async function finish(
  { deps: { examiner, judge }, thread: { journal }, contract }: AgentRunContext,
  { index, turn, arguments: given }: Pick<AgentCall, "index" | "turn" | "arguments">,
): Promise<void> {
  const { calls } = journal.projection.agent;
  const skipped = calls.find((call) => call.turn === turn && NOT_MADE.has(call.state));
  if (skipped !== undefined) {
    const reason = `not finished: call ${skipped.index} was not made (${skipped.reason ?? "a human rejected it"}); go on, or finish without it`;
    return journal.commit([{ kind: "agent_call_judged", body: notACall({ index }, reason) }]);
  }
  const finished = FinishCall.parse(given);
  const attempts = calls.filter(({ name, index: at }) => name === FINISH && at <= index).length;
  if (finished.done && examiner !== null)
    await examineNamed(examiner, journal, contract, checksOf(calls, finished, contract));
  // An agent hears once about each check that the verdict will not count.
  const isLast = attempts >= MAX_FINISHES;
  if (finished.done && !(isLast && hasHeardWhatIsHeld(calls))) {
    const proofOf = agentProofs(journal.projection);
    const objection = await objectionTo(judge, { calls, finish: finished, goal: contract, proofOf });
    if (objection !== null && (!isLast || isHeldAgainst(objection)))
      return journal.commit([{ kind: "agent_call_judged", body: notACall({ index }, objection) }]);
  }
  return journal.commit([{ kind: "agent_finished", body: { index, ...finished } }]);
}

/**
 * Decides whether a call may be made now. The rules judge the step again immediately before it runs, and an approval covers
 * exactly the calls and findings that were shown [5.policy.approval] (D-137). Returns false, after it has recorded the refusal,
 * when the call may not be made.
 */
async function mayRun(context: AgentRunContext, call: AgentCall): Promise<boolean> {
  const { index, step, effect } = call;
  if (step === null) return true;
  const judging = await context.judging();
  const { findings, scripts } = await findingsOn(step, index, judging);
  const unasked = step.kind === "cmd" || step.kind === "check" ? await unaskedPlace(context) : null;
  const block = unasked ?? findings.find(({ verdict }) => verdict === "block");
  const needsNone = findings.length === 0 && call.findings.length === 0;
  if (block === undefined && (needsNone || (await isCallApproved(context, call, judging)))) return true;
  const tools = await judging.boundTools(step, call.tools);
  const before = { scripts: call.scripts ?? [], tools: call.tools ?? [] };
  const how = staleText(before, { scripts, tools }) || unreadToolsText(tools);
  const reason = block?.reason ?? `what would run now is not what was approved.${how}`;
  const body = {
    index,
    verdict: "refuse",
    reason,
    step,
    effect,
    findings,
    ...recorded({ scripts, tools }),
  } as const;
  await context.thread.journal.commit([{ kind: "agent_call_judged", body }]);
  return false;
}

/** A link may lead elsewhere since the start was approved. */
async function unaskedPlace({ deps, thread, contract }: AgentRunContext): Promise<Finding | null> {
  const asked = new Set(thread.journal.projection.findings.map(({ reason }) => reason));
  return (await startFindings(deps.agent, contract)).find(({ reason }) => !asked.has(reason)) ?? null;
}

async function isCallApproved(
  { thread, contract }: AgentRunContext,
  { turn, approval_id }: AgentCall,
  judging: Judging,
): Promise<boolean> {
  const { approvals, agent } = thread.journal.projection;
  const asked = approval_id === null ? undefined : approvals.requests.get(approval_id);
  if (approval_id === null || asked === undefined) return false;
  const covered = agent.calls.filter((one) => one.turn === turn && one.step !== null && isCovered(one, approval_id));
  const shown = await Promise.all(covered.map((one) => asFoundNow(one, judging)));
  const placed = { contract, ...runsOnOf(thread.journal.projection) };
  const isSame = callDigests(placed, turn, shown).includes(asked.digest);
  const isRead = unreadToolsText(shown.flatMap(({ tools = [] }) => tools)) === "";
  return isSame && isRead && approvals.decisions.get(approval_id)?.decision === "approve";
}

/** The whole reply, but for what policy refused of it. */
const isCovered = ({ approval_id, state }: AgentCall, approved: string): boolean =>
  approval_id === approved || (state !== "refused" && state !== "faulty");

/** The call with the findings of the rules as they are now, and the recorded findings of the approval categories. */
async function asFoundNow(call: AgentCall, judging: Judging): Promise<AgentCall> {
  const { step, index, findings, result } = call;
  // A call that has been made may have changed the scripts that it ran.
  if (step === null || result !== null) return call;
  const now = await findingsOn(step, index, judging);
  const by_model = findings.filter(({ code }) => code.startsWith("category."));
  const all = [...now.findings, ...by_model];
  const isSame = isFoundAsBefore({ now: all, before: findings, from: 0 });
  const tools = await judging.boundTools(step, call.tools);
  return { ...call, findings: isSame ? findings : all, scripts: [...now.scripts], tools };
}

// Converts a model's reply into the event that is recorded: bounded, without secrets, with calls numbered over the whole run and
// `finish` last. Adds the checks that finish names and that prove nothing yet, so that orch runs them (D-135).

const HALF_TEXT = 16_384;

const MAX_ARGUMENTS = 65_536;

const MAX_NAME = 128;

type Situation = {
  readonly turn: number;
  readonly calls: readonly AgentCall[];
  readonly catalogue: AgentCatalogue;
  readonly redact: (text: string) => string;
  /** The tokens of the question, as orch estimates them. */
  readonly estimated: number;
};

export function recordedReply(
  reply: ModelReply,
  { turn, calls, catalogue, redact, estimated }: Situation,
): AgentReplied {
  const { latency_ms } = reply;
  if (reply.is === "fault") return { turn, text: "", thinking: null, calls: [], fault: reply.fault, latency_ms };
  const ends = reply.calls.filter(({ name }) => name === FINISH);
  const others = reply.calls.filter(({ name }) => name !== FINISH);
  // An end is read also where too much is asked for before it.
  const first = others.slice(0, MAX_CALLS - Math.min(ends.length, 1));
  const ordered = [...first, ...ends].slice(0, MAX_CALLS).map((call) => bounded(call, redact));
  const left_out = reply.calls.length - ordered.length;
  const all = catalogue.entries.has(SHELL) ? withChecks(ordered, calls) : ordered;
  const numbered = all.map((call, position) => {
    const index = calls.length + position;
    return { index, call_id: `call-${index}`, ...call };
  });
  const quoted = reply.quoted === undefined ? {} : { quoted: reply.quoted };
  const thinking = reply.thinking === null ? null : shortened(redact(reply.thinking), HALF_TEXT);
  const text = shortened(redact(reply.text), HALF_TEXT);
  return {
    turn,
    text,
    thinking,
    calls: numbered,
    ...(left_out > 0 && { left_out }),
    ...quoted,
    ...(reply.prompt_tokens !== undefined && { prompt: { estimated, tokens: reply.prompt_tokens } }),
    fault: null,
    latency_ms,
  };
}

function bounded({ name: written_name, arguments: given }: WrittenCall, redact: Situation["redact"]): WrittenCall {
  const name = redact(written_name.slice(0, MAX_NAME)).toWellFormed();
  const written = JSON.stringify(given);
  const isSound = written.length <= MAX_ARGUMENTS && JsonValue.safeParse(given).success;
  // As text it is no call, and the fault says so to the model.
  return { name, arguments: isSound ? redactedJson(redact, given) : redact(written.slice(0, HALF_TEXT)) };
}

type Added = WrittenCall & { readonly added?: true };

function withChecks(asked: readonly Added[], calls: readonly AgentCall[]): Added[] {
  const place = asked.findIndex(({ name }) => name === FINISH);
  const finish = FinishCall.safeParse(asked[place]?.arguments);
  if (place === -1 || !finish.success) return [...asked];
  const before = asked.slice(0, place);
  const added = missing(before, calls, finish.data).map(
    (command): Added => ({ name: SHELL, arguments: { command, check: true }, added: true }),
  );
  return [...before, ...added, ...asked.slice(place)];
}

/** After other calls, every check that finish names counts as missing, except those at the end of these calls. */
function missing(before: readonly Added[], calls: readonly AgentCall[], finish: Finish): string[] {
  if (before.length === 0) return checksToRun(calls, finish);
  const named = commandsNamed(calls, finish);
  const others = before.findLastIndex((call) => !named.includes(checkIn(call) ?? ""));
  const last = before.slice(others + 1).map(checkIn);
  return named.filter((command) => !last.includes(command));
}

const Check = z.looseObject({ command: z.string(), check: z.literal(true) });

/** The command of a call that asks for a check. */
const checkIn = ({ name, arguments: given }: Added): string | undefined =>
  name === SHELL ? Check.safeParse(given).data?.command : undefined;
