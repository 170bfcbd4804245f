// Decides when an agent run stops, by predicates over its record (D-138). The time limit counts model and calls, not the time of
// a human's decision (D-139).
import type { AgentCall, AgentReplied, AgentStopped } from "../../domain/agent-events.ts";
import { canonicalJson } from "../../domain/json-values.ts";
import { counted } from "../../domain/printable.ts";

export type AgentLimits = {
  /** Replies of the model. */
  readonly turns: number;
  readonly calls: number;
  readonly minutes: number;
};

export type AgentRecord = { readonly turns: readonly AgentReplied[]; readonly calls: readonly AgentCall[] };

type StopCondition = (record: AgentRecord, limits: AgentLimits) => AgentStopped | null;

const REFUSALS = 3;

const FAULTY_CALLS = 5;

const FAULTS = 3;

const IDLE_TURNS = 3;

export const MAX_IDENTICAL = 5;

/** A model that asks for more calls in one reply has lost its task. */
export const MAX_CALLS = 32;

const MAX_OUTPUT = 4 * 1024 * 1024;

/** The first condition that holds. While calls are `open`, only those that must prevent them count. */
export function stopOf(record: AgentRecord, limits: AgentLimits, { open }: { open: boolean }): AgentStopped | null {
  for (const condition of open ? AT_ONCE : [...AT_ONCE, ...BETWEEN_TURNS]) {
    const stop = condition(record, limits);
    if (stop !== null) return stop;
  }
  return null;
}

/** The model learns of refusals with its next reply, so all those of one reply count once. */
const refused: StopCondition = ({ calls }) => {
  const first = calls.filter(({ state, turn }, at) => {
    const before = calls[at - 1];
    return state !== "refused" || before?.state !== "refused" || before.turn !== turn;
  });
  const last = lastRun(first, ({ state }) => state === "refused", REFUSALS);
  if (last === null) return null;
  return stop("agent_refused", `Calls of ${REFUSALS} replies in a row were refused, the last because: ${last.reason}`);
};

const faultyCalls: StopCondition = ({ calls }) => {
  const last = lastRun(calls, ({ state }) => state === "faulty", FAULTY_CALLS);
  if (last === null) return null;
  return stop("agent_faulty_calls", `${FAULTY_CALLS} calls in a row were faulty, the last because: ${last.reason}`);
};

const faults: StopCondition = ({ turns }) => {
  const last = turns.slice(-FAULTS);
  const fault = last.at(-1)?.fault ?? null;
  const isOver = fault !== null && (NEVER.test(fault) || (last.length === FAULTS && last.every((turn) => turn.fault)));
  if (!isOver) return null;
  const message = NEVER.test(fault)
    ? `The agent model cannot call tools (${fault}). Set AGENT_MODEL to one that can.`
    : `The agent model gave no usable answer (${fault}).`;
  return stop("model_unavailable", message);
};

/** A fault that another request does not change. */
const NEVER = /^no_tools\b/;

const idle: StopCondition = ({ turns }) => {
  const last = turns.slice(-IDLE_TURNS);
  const isIdle = last.length === IDLE_TURNS && last.every(({ fault, calls }) => fault === null && calls.length === 0);
  return isIdle ? stop("agent_idle", `The model has called no tool in ${IDLE_TURNS} replies.`) : null;
};

const repeats: StopCondition = ({ calls }) => {
  let seen = new Map<string, number>();
  const made = new Set<string>();
  for (const { name, arguments: given, added, effect, result } of calls) {
    if (added) continue;
    const call = `${name} ${canonicalJson(given)}`;
    // After a new change, the same read may return something else.
    if (effect === "changes" && result !== null && !made.has(call)) seen = new Map();
    made.add(call);
    const times = (seen.get(call) ?? 0) + 1;
    if (times > MAX_IDENTICAL) return stop("agent_repeats", `The same call of ${name} was asked for ${times} times.`);
    seen.set(call, times);
  }
  return null;
};

const turnsSpent: StopCondition = ({ turns }, limits) =>
  turns.length < limits.turns ? null : stop("agent_turns_spent", `It took ${counted(turns.length, "turn")}.`);

const callsSpent: StopCondition = ({ calls }, limits) =>
  calls.length < limits.calls ? null : stop("agent_calls_spent", `It made ${counted(calls.length, "call")}.`);

/** The time of the model and of the calls. */
export const spentMs = ({ turns, calls }: AgentRecord): number =>
  sum(turns.map(({ latency_ms }) => latency_ms)) + sum(calls.map(({ result }) => result?.duration_ms ?? 0));

const timeSpent: StopCondition = (record, { minutes }) =>
  spentMs(record) < minutes * 60_000 ? null : stop("agent_time_spent", `Model and calls took ${minutes} minutes.`);

const outputSpent: StopCondition = ({ turns, calls }) => {
  const written = sum(turns.map(({ text, thinking }) => text.length + (thinking?.length ?? 0)));
  const bytes = written + sum(calls.map(({ result }) => (result?.stdout.length ?? 0) + (result?.stderr.length ?? 0)));
  return bytes < MAX_OUTPUT ? null : stop("agent_output_spent", `Its output has ${bytes} characters.`);
};

const AT_ONCE = [refused, repeats] as const;

const BETWEEN_TURNS = [faultyCalls, faults, idle, turnsSpent, callsSpent, timeSpent, outputSpent] as const;

const stop = (reason_code: AgentStopped["reason_code"], message: string): AgentStopped => ({ reason_code, message });

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The call that completes the first series of `length` matching calls; null when there is none. */
function lastRun(calls: readonly AgentCall[], is: (call: AgentCall) => boolean, length: number): AgentCall | null {
  let row = 0;
  for (const call of calls) {
    row = is(call) ? row + 1 : 0;
    if (row === length) return call;
  }
  return null;
}
