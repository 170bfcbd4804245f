// Estimates how many tokens a text takes, without the vocabulary of the model: by its kinds of characters, corrected by what the
// model's server has counted in the same run (D-141).
import type { AgentReplied } from "../../domain/agent-events.ts";
import type { AgentMessage, OfferedTool } from "./agent-message.ts";

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
