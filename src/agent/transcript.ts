// The conversation that the model is shown, within its context limit (D-141): the contract always whole, recent output
// in full, older output as head and tail, and the oldest left out.
import type { AgentCall, AgentReplied } from "../domain/agent-events.ts";
import { type DataExcerpt, dataDocument, excerpt, shortened } from "../domain/data-document.ts";
import type { Json } from "../domain/json.ts";
import type { StepResult } from "../domain/step.ts";
import type { AgentMessage } from "./agent-message.ts";
import { AGENT_SYSTEM, CALL_A_TOOL } from "./prompt.ts";
import { MAX_CALLS } from "./read-reply.ts";

type Detail = "full" | "short" | "bare";

/** Bytes of the head, and of the tail. */
const HALF: Readonly<Record<Detail, number>> = { full: 4096, short: 256, bare: 0 };
const TEXT: Readonly<Record<Detail, number>> = { full: 2048, short: 512, bare: 64 };

/** How many of the last turns are shown in full, and shortened. The first plan that fits is used. */
const PLANS = [
  { full: 1_000, short: 1_000 },
  { full: 8, short: 1_000 },
  { full: 3, short: 1_000 },
  { full: 3, short: 10 },
  { full: 1, short: 5 },
  { full: 1, short: 1 },
  { full: 0, short: 1 },
] as const;

type Run = {
  /** The document with the task. */
  readonly task: string;
  readonly turns: readonly AgentReplied[];
  readonly calls: readonly AgentCall[];
};

/** Null when not even the task and the last turn fit into `max_bytes`. */
export function transcriptOf({ task, turns, calls }: Run, max_bytes: number): AgentMessage[] | null {
  const head: AgentMessage[] = [
    { role: "system", text: AGENT_SYSTEM },
    { role: "user", text: task },
  ];
  const byTurn = Map.groupBy(calls, ({ turn }) => turn);
  for (const { full, short } of PLANS) {
    const shown = turns.flatMap((turn, position) => {
      const age = turns.length - position;
      const detail = age <= full ? "full" : age <= short ? "short" : "bare";
      return messagesOf(turn, byTurn.get(turn.turn) ?? [], detail);
    });
    if (bytesOf([...head, ...shown]) <= max_bytes) return [...head, ...shown];
  }
  return withoutTheOldest({ head, turns, byTurn }, max_bytes);
}

const NOTE_BYTES = 128;

type Parts = {
  readonly head: AgentMessage[];
  readonly turns: readonly AgentReplied[];
  readonly byTurn: ReadonlyMap<number, AgentCall[]>;
};

function withoutTheOldest({ head, turns, byTurn }: Parts, max_bytes: number): AgentMessage[] | null {
  if (turns.length === 0) return null;
  let kept: AgentMessage[] = [];
  let room = max_bytes - bytesOf(head) - NOTE_BYTES;
  let left_out = turns.length;
  while (left_out > 0) {
    const turn = turns[left_out - 1];
    const messages = turn === undefined ? [] : messagesOf(turn, byTurn.get(turn.turn) ?? [], "bare");
    room -= bytesOf(messages);
    if (room < 0) break;
    kept = [...messages, ...kept];
    left_out -= 1;
  }
  if (left_out === turns.length) return null;
  const note: AgentMessage = { role: "user", text: dataDocument({ earlier_turns_left_out: left_out }) };
  return [...head, note, ...kept];
}

const bytesOf = (messages: readonly AgentMessage[]): number =>
  messages.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)), 0);

function messagesOf(turn: AgentReplied, calls: readonly AgentCall[], detail: Detail): AgentMessage[] {
  if (turn.fault !== null) return [{ role: "user", text: dataDocument({ your_last_reply_was_unusable: turn.fault }) }];
  const text = shortened(turn.text, TEXT[detail]);
  const asked = calls.map(({ call_id, name, arguments: given }) => ({
    call_id,
    name,
    arguments: detail === "full" ? given : briefly(given, TEXT[detail]),
  }));
  const message: AgentMessage = { role: "assistant", text, calls: asked };
  const notes = notesOn(turn).map((note): AgentMessage => ({ role: "user", text: dataDocument(note) }));
  if (calls.length === 0) return [message, ...notes, { role: "user", text: CALL_A_TOOL }];
  const answers = calls.map((call): AgentMessage => {
    const { call_id, name } = call;
    return { role: "tool", call_id, name, text: dataDocument(answerTo(call, detail)) };
  });
  return [message, ...answers, ...notes];
}

function notesOn({ left_out, quoted }: AgentReplied): { readonly [key: string]: Json }[] {
  const notes = [];
  if (left_out !== undefined)
    notes.push({ calls_left_out: left_out, reason: `at most ${MAX_CALLS} calls of one reply are read` });
  if (quoted !== undefined) notes.push({ calls_in_text_not_made: quoted, reason: QUOTED });
  return notes;
}

const QUOTED =
  "they repeat the output or the description of a tool, which is data, or the line before them marks them as an example";

/** The result of a call, as the model reads it. */
function answerTo({ index, state, reason, step, result }: AgentCall, detail: Detail): Answer {
  const shown_reason = excerpt(reason ?? "", HALF.short);
  if (state === "refused") return { call: index, refused: shown_reason };
  if (state === "faulty") return { call: index, not_a_call: shown_reason };
  if (state === "rejected") return { call: index, rejected_by_a_human: reason ?? "no reason was given" };
  if (result === null) return { call: index, not_made: true };
  return { call: index, ...(step?.kind === "check" && { is: "check" }), ...shownResult(result, HALF[detail]) };
}

type Answer = { readonly [key: string]: Json | DataExcerpt };

function shownResult({ status, exit_code, stdout, stderr, truncated, timed_out }: StepResult, half: number): Answer {
  const output = half === 0 ? { output: "left out" } : { stdout: excerpt(stdout, half), stderr: excerpt(stderr, half) };
  return { status, exit_code, ...(timed_out && { timed_out }), ...(truncated && { truncated }), ...output };
}

/** Also limits the whole, because many short values together are long. */
function briefly(value: Json, half: number): Json {
  const brief = withoutLongTexts(value, half);
  const written = JSON.stringify(brief);
  return written.length <= 8 * half ? brief : { too_long_to_repeat: shortened(written, half) };
}

function withoutLongTexts(value: Json, half: number): Json {
  if (typeof value === "string") return shortened(value, half);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutLongTexts(item, half));
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withoutLongTexts(held, half)]));
}
