// Reads the replies of notes servers without trust, and names the cause of a failed call by the words of its error. An error in
// the form of content, a reply about another note and an unreadable reply are never successes.
import { z } from "zod";
import { type Json, structuralIssue } from "../../../src/domain/json.ts";
import type { ToolAnswer } from "../../../src/domain/tool.ts";
import { type FaultCode, NotesFault } from "../notes-server.ts";

type CallArguments = { readonly [key: string]: Json };

/** A call to the one server of an adapter. */
export type CallTool = (tool: string, args: CallArguments) => Promise<ToolAnswer>;

/** Whether the server's message says that no note has this id, and nothing else. */
type SaysMissing = (words: string, note_id: string) => boolean;

type Question = { readonly tool: string; readonly args: CallArguments };

export type Reader = {
  /** Asks with `noteId`. Null: there is no such note. */
  aboutNote<T>(note_id: string, question: Question, shape: z.ZodType<T>): Promise<T | null>;
  ask<T>(question: Question, shape: z.ZodType<T>): Promise<T>;
  /** As `aboutNote`, for a reply of several texts. */
  textsAbout(note_id: string, question: Question): Promise<readonly string[] | null>;
};

export function createReader(call: CallTool, saysMissing: SaysMissing): Reader {
  const textsAbout: Reader["textsAbout"] = async (note_id, { tool, args }) => {
    const answer = await call(tool, { noteId: note_id, ...args });
    if (!answer.ok && saysMissing(answer.stderr, note_id)) return null;
    return textsIn(answer, tool);
  };
  return {
    textsAbout,
    aboutNote: async (note_id, question, shape) => {
      const texts = await textsAbout(note_id, question);
      if (texts === null) return null;
      const reply = jsonOf(onlyOne(texts, question.tool), question.tool);
      const words = complaintIn(reply);
      if (words !== null && saysMissing(words, note_id)) return null;
      return understood(reply, question.tool, shape, note_id);
    },
    ask: async ({ tool, args }, shape) => {
      const texts = textsIn(await call(tool, args), tool);
      return understood(jsonOf(onlyOne(texts, tool), tool), tool, shape);
    },
  };
}

/** One text of several in a reply, such as the metadata before the content. */
export const readText = <T>(text: string, tool: string, shape: z.ZodType<T>, note_id: string): T =>
  understood(jsonOf(text, tool), tool, shape, note_id);

function understood<T>(reply: unknown, tool: string, shape: z.ZodType<T>, note_id?: string): T {
  const words = complaintIn(reply);
  if (words !== null) throw faultOf(tool, words, "refused");
  const { success, data, error } = shape.safeParse(reply);
  if (!success) throw unreadable(tool, z.prettifyError(error));
  const about = About.safeParse(reply).data?.noteId;
  if (note_id === undefined || about === undefined || about === note_id) return data;
  throw unreadable(tool, `it is about the note ${head(about)}, and ${note_id} was asked for`);
}

const About = z.object({ noteId: z.string().optional() });

const Fields = z.record(z.string(), z.unknown());

/** The complaint in a reply, in any form; null without one. Any value in a field for success or error counts. */
export function complaintIn(reply: unknown): string | null {
  const { data: fields } = Fields.safeParse(reply);
  if (fields === undefined) return null;
  const { error, success, requiresBranchId, message } = fields;
  if (isSet(error)) return head(wordsOf(error));
  const isRefusal = (success !== undefined && success !== true) || isSet(requiresBranchId);
  return isRefusal ? head(wordsOf(message ?? reply)) : null;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false;
const wordsOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const Result = z.object({ content: z.array(z.object({ type: z.string(), text: z.string().optional() })) });

function textsIn(answer: ToolAnswer, tool: string): readonly string[] {
  if (!answer.ok) {
    // Some tools refuse a call that they did not understand by a protocol error, with a message of the SDK.
    const isRefusal = answer.executed === true || /^MCP error -\d+: /.test(answer.stderr);
    const code = isRefusal ? "refused" : "unreachable";
    throw faultOf(tool, answer.stderr, code);
  }
  return contentOf(answer.stdout, tool);
}

/** The texts of a result of the protocol. */
export function contentOf(stdout: string, tool: string): readonly string[] {
  const { data } = Result.safeParse(jsonOf(stdout, tool));
  if (data === undefined) throw unreadable(tool, "it is no result of a tool");
  return data.content.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []));
}

export function onlyOne(texts: readonly string[], tool: string): string {
  const [text] = texts;
  if (text === undefined || texts.length > 1)
    throw unreadable(tool, `it has ${texts.length} texts, where one is expected`);
  return text;
}

/** Limits the nesting, because a reader may be recursive. */
export function jsonOf(text: string, tool: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable(tool, `it is no JSON: ${head(text)}`);
  }
  const issue = structuralIssue(value);
  if (issue !== null) throw unreadable(tool, `${head(issue.path)} ${issue.message}`);
  return value;
}

export const unreadable = (tool: string, why: string): NotesFault =>
  new NotesFault("unreadable", `what ${tool} answered cannot be used: ${why}`);

type Cause = {
  readonly code: FaultCode;
  readonly words: RegExp;
  /** Only where the request arrived: the same words without that mean that the server itself is not there. */
  readonly arrived?: true;
  /** In place of the server's words, which repeat what a token looks like. */
  readonly message?: string;
};

const CAUSES: readonly Cause[] = [
  {
    code: "token_refused",
    words: /^HTTP 401\b/,
    message: "HTTP 401: MCP_NOTES_TOKEN is missing, or is another than the server takes",
  },
  { code: "token_refused", words: /status code 401\b|\*\*Status\*\*: 401\b/ },
  { code: "host_refused", words: /^HTTP 40[03]\b.*\binvalid host\b/is },
  { code: "disabled", words: /^HTTP 403\b.*\bdisabled\b/is },
  { code: "too_many_requests", words: /^HTTP 429\b|status code 429\b|\*\*Status\*\*: 429\b/ },
  { code: "application_down", words: /^HTTP 50[234]\b|status code 50[234]\b/ },
  {
    code: "application_down",
    arrived: true,
    words: /\bE(?:CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|HOSTUNREACH|AI_AGAIN)\b|socket hang up|fetch failed/,
  },
  { code: "too_long", words: /the answer has more than \d+ bytes/ },
];

/**
 * Names the cause of a failed call by the words of the error: of orch's client, of what is in front of the application, and of
 * the application itself (D-128). `otherwise` is the code of words that name no cause.
 */
export function faultOf(what: string, words: string, otherwise: FaultCode): NotesFault {
  const cause = CAUSES.find((one) => one.words.test(words) && (one.arrived !== true || otherwise === "refused"));
  return new NotesFault(cause?.code ?? otherwise, `${what}: ${cause?.message ?? head(words)}`);
}

const HEAD = 500;

/** The beginning of a server's message, for an error message. */
export const head = (words: string): string =>
  words.length > HEAD ? `${words.slice(0, HEAD).toWellFormed()}…` : words;
