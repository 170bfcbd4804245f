// The conversation that the model is shown, within its context (D-141): the contract always whole, then the turns, appended only, so
// that the model's server has read most of a question already. When they no longer fit, the older ones become lines, many at once.
import type { AgentCall, AgentReplied } from "../domain/agent-events.ts";
import type { AgentMessage } from "./agent-message.ts";
import { type EarlierLine, earlierMessages, linesOf } from "./earlier-calls.ts";
import { type AgentLimits, spentMs } from "./stop-conditions.ts";
import { FIRST_FACTOR, factorAfter, tokensOf } from "./tokens.ts";
import { turnMessages } from "./turn-messages.ts";

/** The rules, and the document with the task. */
export type AgentFrame = { readonly system: string; readonly task: string };

export type Conversation = AgentFrame & {
  readonly turns: readonly AgentReplied[];
  readonly calls: readonly AgentCall[];
  readonly limits: AgentLimits;
};

/** `tools_tokens` is an estimate; `prompt_tokens` is what the model has for messages and tools. */
export type Room = { readonly prompt_tokens: number; readonly tools_tokens: number };

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
