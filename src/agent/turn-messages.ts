// One turn of an agent's run as the model reads it: its reply, and an answer to each of its calls. What is shown is decided once, so
// that it stays the same in every later question.
import type { AgentCall, AgentReplied } from "../domain/agent-events.ts";
import { type DataExcerpt, dataDocument, excerpt, shortened } from "../domain/data-document.ts";
import type { Json } from "../domain/json.ts";
import type { StepResult } from "../domain/step.ts";
import { leftText } from "../domain/step-run.ts";
import type { AgentMessage } from "./agent-message.ts";
import { CALL_A_TOOL } from "./prompt.ts";
import { MAX_CALLS } from "./stop-conditions.ts";
import { halfBytes } from "./tokens.ts";

type Answer = { readonly [key: string]: Json | DataExcerpt };

/** `answer_tokens` is the room of one output. `left` is what the model has left for the task after this turn. */
export type TurnView = { readonly answer_tokens: number; readonly left: string };

const FEWEST_TOKENS = 64;

export function turnMessages(turn: AgentReplied, calls: readonly AgentCall[], view: TurnView): AgentMessage[] {
  if (turn.fault !== null) return [{ role: "user", text: dataDocument({ your_last_reply_was_unusable: turn.fault }) }];
  // Two outputs of a reply are shown in full length, more share the room of two.
  const answer_tokens = Math.max(FEWEST_TOKENS, Math.floor((2 * view.answer_tokens) / Math.max(2, calls.length)));
  const text = ofAtMost(turn.text, view.answer_tokens);
  const asked = calls.map(({ call_id, name, arguments: given }) => ({
    call_id,
    name,
    arguments: briefly(given, 2 * answer_tokens),
  }));
  const message: AgentMessage = { role: "assistant", text, calls: asked };
  const notes = notesOn(turn).map((note): AgentMessage => ({ role: "user", text: dataDocument(note) }));
  if (calls.length === 0) return [message, ...notes, { role: "user", text: CALL_A_TOOL }];
  const answers = calls.map((call, position): AgentMessage => {
    const { call_id, name } = call;
    const isLast = position === calls.length - 1;
    const answer = { ...answerTo(call, answer_tokens), ...(isLast && { left: view.left }) };
    return { role: "tool", call_id, name, text: dataDocument(answer) };
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
function answerTo({ index, state, reason, step, result }: AgentCall, tokens: number): Answer {
  const shown_reason = shownText(reason ?? "", tokens);
  if (state === "refused") return { call: index, refused: shown_reason };
  if (state === "faulty") return { call: index, not_a_call: shown_reason };
  if (state === "rejected") return { call: index, rejected_by_a_human: reason ?? "no reason was given" };
  if (result === null) return { call: index, not_made: true };
  return { call: index, ...(isCheck(step) && { is: "check" }), ...shownResult(result, tokens) };
}

const isCheck = (step: AgentCall["step"]): boolean =>
  step?.kind === "check" || (step?.kind === "mcp_call" && step.expect !== undefined);

const CUT = "the middle was cut; to see it, print less at once: grep, head, sed -n";

function shownResult(
  { status, exit_code, stdout, stderr, truncated, timed_out, left_processes }: StepResult,
  tokens: number,
): Answer {
  const output = { stdout: shownText(stdout, tokens), stderr: shownText(stderr, Math.ceil(tokens / 2)) };
  const isCut = truncated || Object.values(output).some((shown) => typeof shown !== "string");
  const left = left_processes === undefined ? {} : { left_processes: leftText(left_processes) };
  return { status, exit_code, ...(timed_out && { timed_out }), ...left, ...output, ...(isCut && { hint: CUT }) };
}

const shownText = (text: string, tokens: number) => excerpt(text, halfBytes(text, tokens));
const ofAtMost = (text: string, tokens: number) => shortened(text, halfBytes(text, tokens));

/** Also limits the whole, because many short values together are long. */
function briefly(value: Json, tokens: number): Json {
  const brief = withoutLongTexts(value, tokens);
  const written = JSON.stringify(brief);
  const whole = ofAtMost(written, 2 * tokens);
  return whole === written ? brief : { too_long_to_repeat: whole };
}

function withoutLongTexts(value: Json, tokens: number): Json {
  if (typeof value === "string") return ofAtMost(value, tokens);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutLongTexts(item, tokens));
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withoutLongTexts(held, tokens)]));
}
