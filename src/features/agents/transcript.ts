// Keeps the conversation that the model is shown within its context (D-141): the contract always whole, then the turns, appended
// only, so that the model's server has read most of a question already. When they no longer fit, the older ones become lines,
// many at once. Estimates how many tokens a text takes.
import type { AgentCall, AgentReplied, AgentStopped } from "../../domain/agent-events.ts";
import type { TaskContract } from "../../domain/contract.ts";
import { type DataExcerpt, dataDocument, excerpt, shortened } from "../../domain/data-document.ts";
import type { Json } from "../../domain/json.ts";
import { quotedLine } from "../../domain/output-lines.ts";
import type { StepResult } from "../../domain/step.ts";
import { leftText } from "../../domain/step-run.ts";
import type { AgentMessage, OfferedTool } from "./agent-message.ts";
import type { AgentServices } from "./agent-services.ts";
import { agentSystem, CALL_A_TOOL, type TaskFrame, taskDocument } from "./instructions.ts";
import { checkCommand } from "./named-checks.ts";
import type { AgentContext } from "./port.ts";
import { type AgentLimits, MAX_CALLS, spentMs } from "./stop-conditions.ts";

/** The rules, and the document with the task. */
type AgentFrame = { readonly system: string; readonly task: string };

type Conversation = AgentFrame & {
  readonly turns: readonly AgentReplied[];
  readonly calls: readonly AgentCall[];
  readonly limits: AgentLimits;
};

/** `tools_tokens` is an estimate; `prompt_tokens` is what the model has for messages and tools. */
type Room = { readonly prompt_tokens: number; readonly tools_tokens: number };

/** A cut leaves this share of the room in use: the smaller it is, the more seldom the next one. */
const AFTER_A_CUT = 0.4;

/** The share of the room that the lines of earlier calls take at most. */
const LINES = 0.25;

const AROUND_LINES = 24;

/** The output of one call, as a share of the room. */
const ANSWER = 1 / 16;

const [FEWEST, MOST] = [256, 2_048] as const;

export const headOf = ({ system, task }: AgentFrame): AgentMessage[] => [
  { role: "system", text: system },
  { role: "user", text: task },
];

/** Null when not even the task and the lines of the last turn fit. Follows from the journal alone, and so does each cut. */
export function transcriptOf(conversation: Conversation, room: Room): AgentMessage[] | null {
  const { turns } = conversation;
  const head = headOf(conversation);
  const fixed = tokensOf(head) + room.tools_tokens;
  const free = room.prompt_tokens / FIRST_FACTOR - fixed;
  const views = viewsOf(conversation, Math.min(MOST, Math.max(FEWEST, Math.floor(free * ANSWER))));
  let cut = NO_CUT;
  for (const count of [...turns.keys(), turns.length]) {
    const within = room.prompt_tokens / factorAfter(turns.slice(0, count)) - fixed;
    if (sizeOf(views, cut, count) > within) cut = newCut(views, count, within);
    if (count === turns.length && sizeOf(views, cut, count) > within) return null;
  }
  return [...head, ...shown(views, cut, turns.length)];
}

type View = {
  readonly messages: readonly AgentMessage[];
  readonly tokens: number;
  readonly lines: readonly EarlierLine[];
};

/** The turns before `lines_to` are `lines`, after the first `left_out` of them. */
type Cut = {
  readonly lines_to: number;
  readonly lines: readonly EarlierLine[];
  readonly left_out: number;
  readonly lines_tokens: number;
};

const NO_CUT: Cut = { lines_to: 0, lines: [], left_out: 0, lines_tokens: 0 };

function viewsOf({ turns, calls, limits }: Conversation, answer_tokens: number): View[] {
  const byTurn = Map.groupBy(calls, ({ turn }) => turn);
  return turns.map((turn, at) => {
    const own = byTurn.get(turn.turn) ?? [];
    const record = { turns: turns.slice(0, at + 1), calls: calls.filter((call) => call.turn <= turn.turn) };
    const messages = turnMessages(turn, own, { answer_tokens, left: leftAfter(record, limits) });
    return { messages, tokens: tokensOf(messages), lines: linesOf(turn, own) };
  });
}

function leftAfter(record: Pick<Conversation, "turns" | "calls">, limits: AgentLimits): string {
  const minutes = Math.max(0, Math.floor(limits.minutes - spentMs(record) / 60_000));
  return `${limits.turns - record.turns.length} replies, ${minutes} minutes`;
}

const shown = (views: readonly View[], { lines, left_out, lines_to }: Cut, count: number): AgentMessage[] => [
  ...earlierMessages(lines, left_out),
  ...views.slice(lines_to, count).flatMap(({ messages }) => messages),
];

const sizeOf = (views: readonly View[], { lines_to, lines_tokens }: Cut, count: number): number =>
  views.slice(lines_to, count).reduce((sum, { tokens }) => sum + tokens, lines_tokens);

/** The last turn stays whole where it fits. */
function newCut(views: readonly View[], count: number, within: number): Cut {
  let cut = NO_CUT;
  while (cut.lines_to < count) {
    const isLast = cut.lines_to === count - 1;
    if (sizeOf(views, cut, count) <= within * (isLast ? 1 : AFTER_A_CUT)) return cut;
    cut = withinLines(views, cut.lines_to + 1, within);
  }
  return cut;
}

function withinLines(views: readonly View[], lines_to: number, within: number): Cut {
  const all = views.slice(0, lines_to).flatMap(({ lines }) => lines);
  for (let left_out = 0; ; left_out += Math.ceil((all.length - left_out) / 4)) {
    const lines = all.slice(left_out);
    const lines_tokens = lines.reduce((sum, { tokens }) => sum + tokens, AROUND_LINES);
    if (lines_tokens <= within * LINES || lines.length === 0) return { lines_to, lines, left_out, lines_tokens };
  }
}

type EarlierLine = { readonly shows: { readonly [key: string]: Json }; readonly tokens: number };

type Shown = EarlierLine["shows"];

/** Bytes of the head, and of the tail, of what was asked for and of the line that came of it. */
const HALF = 72;

/**
 * The oldest turns of a run, which are no longer shown in full: one line for each call, with what it asked for and what came of
 * it. A reply without calls leaves its text only.
 */
function linesOf({ text, fault }: AgentReplied, calls: readonly AgentCall[]): EarlierLine[] {
  const own: Shown[] = text === "" || fault !== null ? [] : [{ you: shortened(text, HALF) }];
  return [...own, ...calls.map(lineOf)].map((shows) => ({ shows, tokens: tokensIn(dataDocument(shows)) + 1 }));
}

/** The same lines as before are a beginning of the message, so that the model's server has read them already. */
const earlierMessages = (lines: readonly EarlierLine[], left_out: number): AgentMessage[] =>
  lines.length + left_out === 0
    ? []
    : [
        {
          role: "user",
          text: dataDocument({
            ...(left_out > 0 && { earlier_calls_left_out: left_out }),
            earlier_calls: lines.map(({ shows }) => shows),
          }),
        },
      ];

function lineOf(call: AgentCall): Shown {
  const { index, name, state, reason, step, result, arguments: given } = call;
  const asked = shortened(checkCommand(call) ?? JSON.stringify(given), HALF);
  const line = { call: index, [step?.kind === "check" ? "check" : name]: asked };
  const why = shortened(reason ?? "", HALF);
  if (state === "refused") return { ...line, refused: why };
  if (state === "faulty") return { ...line, not_a_call: why };
  if (state === "rejected") return { ...line, rejected_by_a_human: why };
  if (result === null) return { ...line, not_made: true };
  const { exit_code } = result;
  const said = quotedLine(result);
  return { ...line, exit_code, ...(said !== "" && { result: shortened(said, HALF) }) };
}

type Answer = { readonly [key: string]: Json | DataExcerpt };

/** `answer_tokens` is the room of one output. `left` is what the model has left for the task after this turn. */
type TurnView = { readonly answer_tokens: number; readonly left: string };

const FEWEST_TOKENS = 64;

/**
 * One turn of an agent's run as the model reads it: its reply, and an answer to each of its calls. What is shown is decided once,
 * so that it stays the same in every later question.
 */
function turnMessages(turn: AgentReplied, calls: readonly AgentCall[], view: TurnView): AgentMessage[] {
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

export type FrameDeps = {
  readonly agent: Pick<AgentServices, "model" | "account" | "limits" | "skill_tools">;
  /** The home directory that commands see. */
  readonly home: string;
  readonly redact: (text: string) => string;
};

type Offer = Pick<TaskFrame, "missing" | "left_out" | "readers"> & { readonly has_shell: boolean };

/**
 * The room of a run in the context of its model: the document of the task, what the tools may take, and what is too large where
 * the task does not fit (D-141). The rules and the document with the task, as the model reads them.
 */
export function frameOf({ agent, home, redact }: FrameDeps, contract: TaskContract, offer: Offer): AgentFrame {
  const { has_shell, ...shown } = offer;
  const machine = has_shell ? { directory: contract.target["compose_dir"] ?? home, ...agent.account } : null;
  const task = redact(taskDocument(contract, { ...shown, machine, limits: agent.limits }));
  return { system: agentSystem(has_shell), task };
}

/** The share of the context that is kept for the conversation. */
const CONVERSATION = 1 / 8;

export function toolRoom(context: AgentContext | null, frame: AgentFrame): number {
  if (context === null) return Number.POSITIVE_INFINITY;
  return context.prompt_tokens * (1 / factorAfter([]) - CONVERSATION) - tokensOf(headOf(frame));
}

/** Says what is too large, and how to mend it. */
export function contextTooSmall(contract: TaskContract, frame: AgentFrame, room: Room & AgentContext): AgentStopped {
  const needed = tokensOf(headOf(frame)) + room.tools_tokens;
  const wanted = Math.ceil((needed * factorAfter([])) / (1 - CONVERSATION) / 1_024) * 1_024;
  const more = Math.max(1_024, wanted - room.prompt_tokens);
  const [name, tokens] = largestPart(contract);
  const isOver = room.own_limit !== null && room.context_tokens + more > room.own_limit;
  const mend = isOver
    ? `use a model with a larger context: this one holds ${room.own_limit} tokens, so AGENT_CONTEXT_TOKENS cannot help`
    : `raise AGENT_CONTEXT_TOKENS by ${more} or more`;
  const message = `The contract, the rules and the tools take about ${needed} tokens, and the context of the model has ${room.prompt_tokens} for them and the conversation. The largest part is ${name} with about ${tokens}: shorten it, or ${mend}.`;
  return { reason_code: "context_too_small", message };
}

function largestPart({ target, payload, success_criteria }: TaskContract): readonly [string, number] {
  const parts = [
    ["success_criteria", success_criteria],
    ...Object.entries(target).map(([key, value]) => [`target.${key}`, value]),
    ...Object.entries(payload).map(([key, value]) => [`payload.${key}`, value]),
  ] as const;
  const sizes = parts.map(([name, value]) => [String(name), tokensIn(JSON.stringify(value))] as const);
  return sizes.reduce((one, other) => (other[1] > one[1] ? other : one), ["payload", 0]);
}

// Estimates how many tokens a text takes, without the vocabulary of the model: by its kinds of characters, corrected by what the
// model's server has counted in the same run (D-141).

/** A word with the blank before it, one digit, blanks, or signs: where vocabularies of models cut a text. */
const PIECES = / ?\p{Lu}?\p{Ll}+| ?\p{Lu}+| ?\p{L}|\d|\s+(?=[^\p{L}\s])|\s+| ?[^\p{L}\d\s]+/gu;

const BYTES_OF_OTHER_SCRIPTS = 3;

const LONG_WORD = 7;

const LONG_SIGNS = 3;

/** Dense texts count as dense: some models take a token for each digit. */
export function tokensIn(text: string): number {
  let sum = 0;
  for (const [piece] of text.matchAll(PIECES)) sum += tokensOfPiece(piece);
  return Math.ceil(sum);
}

function tokensOfPiece(piece: string): number {
  const last = piece.charCodeAt(piece.length - 1);
  if (last > 127) return Buffer.byteLength(piece) / BYTES_OF_OTHER_SCRIPTS;
  if (last <= 32) return 1 + piece.length / 80;
  const length = piece.length - (piece.length > 1 && piece.startsWith(" ") ? 1 : 0);
  if (/[A-Za-z]$/.test(piece)) return length <= LONG_WORD ? 1 : length / (LONG_WORD - 1);
  return length <= LONG_SIGNS ? 1 : 1 + (length - LONG_SIGNS) / LONG_SIGNS;
}

/** A model's template adds about this many tokens to each message. */
const TOKENS_PER_MESSAGE = 6;

export const tokensOf = (messages: readonly AgentMessage[]): number =>
  messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);

function tokensOfMessage(message: AgentMessage): number {
  const calls = message.role === "assistant" && message.calls.length > 0 ? tokensIn(JSON.stringify(message.calls)) : 0;
  return TOKENS_PER_MESSAGE + tokensIn(message.text) + calls;
}

export const tokensOfTools = (tools: readonly OfferedTool[]): number =>
  tools.length === 0 ? 0 : tokensIn(JSON.stringify(tools));

/** Before the server has counted anything: most texts take less than their estimate. */
export const FIRST_FACTOR = 1.05;

const HIGHEST_FACTOR = 2.5;

/** A server that counts less has counted only what its cache did not hold. */
const LOWEST_FACTOR = 0.5;

const MARGIN = 1.03;

const AFTER_TOO_LONG = 1.25;

/** Tokens of this model for each estimated one, as its last answers show it. */
export function factorAfter(turns: readonly Pick<AgentReplied, "prompt" | "fault">[]): number {
  let factor = FIRST_FACTOR;
  for (const { prompt, fault } of turns) {
    if (fault !== null && TOO_LONG.test(fault)) factor = Math.min(HIGHEST_FACTOR, factor * AFTER_TOO_LONG);
    const counted = prompt === undefined ? 0 : prompt.tokens / prompt.estimated;
    if (counted >= LOWEST_FACTOR) factor = Math.min(HIGHEST_FACTOR, counted * MARGIN);
  }
  return factor;
}

/** The fault of a question that the model's server has refused. */
const TOO_LONG = /^truncated: the question exceeds/;

const SAMPLE = 2_048;

/** Bytes of the head, and of the tail, of an excerpt that takes at most so many tokens. */
export function halfBytes(text: string, tokens: number): number {
  if (text.length <= tokens) return Buffer.byteLength(text);
  const sample = text.length <= 2 * SAMPLE ? text : text.slice(0, SAMPLE) + text.slice(-SAMPLE);
  const taken = tokensIn(sample);
  if (text.length === sample.length && taken <= tokens) return Buffer.byteLength(text);
  return Math.floor((tokens * Buffer.byteLength(sample)) / Math.max(1, taken) / 2);
}
