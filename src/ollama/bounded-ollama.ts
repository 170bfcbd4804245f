// Creates every ChatOllama, with limits that the library does not enforce [4.model.request]: with its `timeout` and `signal`
// options a silent server stays pending, and an abort ends every call on the same instance. Reads each answer before the library
// does.
import { ChatOllama, type ChatOllamaInput } from "@langchain/ollama";
import { z } from "zod";
import { doubledField, parseJson } from "../domain/json-values.ts";
import { type HttpFault, HttpFaultError, openRequest } from "../http-client/request.ts";
import type { ServedModel } from "./served-model.ts";

/** A stream carries about one line per token; a line stays well below this. */
const BYTES_PER_TOKEN = 1024;

export type BoundedOllama = {
  readonly model: Pick<ServedModel, "name" | "base_url" | "keep_alive">;
  /** From now to the last byte of the answer. */
  readonly deadline_ms: number;
  readonly context_tokens: number;
  readonly answer_tokens: number;
  readonly signal?: AbortSignal | undefined;
  readonly format?: ChatOllamaInput["format"];
  /** Without it, the default of the model applies. */
  readonly think?: boolean;
  /** Changes the messages of the request, for fields that the library cannot set. */
  readonly amend?: (request: object) => object;
};

/**
 * A chat model for exactly one call. The deadline begins now, so make the call immediately. The call rejects at the
 * deadline with a TimeoutError, on `signal` with its reason, and with a fault if the server or its response is invalid.
 */
export function boundedOllama(options: BoundedOllama): ChatOllama {
  const deadline = AbortSignal.timeout(options.deadline_ms);
  const bounds = options.signal === undefined ? [deadline] : [deadline, options.signal];
  const send = oneSocketFetch(bounds, options.answer_tokens * BYTES_PER_TOKEN);
  const { name, base_url, keep_alive } = options.model;
  return new ChatOllama({
    model: name,
    baseUrl: base_url,
    temperature: 0,
    seed: 0,
    numCtx: options.context_tokens,
    numPredict: options.answer_tokens,
    ...(options.think === undefined ? {} : { think: options.think }),
    ...(options.format === undefined ? {} : { format: options.format }),
    ...(keep_alive === null ? {} : { keepAlive: keep_alive }),
    fetch: amending(send, (request) => whole(options.amend?.(request) ?? request)),
  });
}

/** The server must refuse what does not fit. By default it silently drops the oldest messages (D-141). */
const whole = (request: object) => ({ ...request, truncate: false, shift: false });

const amending =
  (send: typeof fetch, amend: (request: object) => object): typeof fetch =>
  (url, init = {}) =>
    send(url, { ...init, body: JSON.stringify(amend(JSON.parse(String(init.body)))) });

/** An error that says more is not read to its end. */
const ERROR_BYTES = 65_536;

/**
 * A fetch for one call to a model on a connection of its own, checked and bounded: the client library takes a fetch. Rejects with
 * the reason of the signal that ended it. The connection closes with the answer.
 */
function oneSocketFetch(bounds: readonly AbortSignal[], max_bytes: number): typeof fetch {
  return async (input, init = {}) => {
    const request = new Request(input, init);
    const signal = AbortSignal.any(init.signal ? [...bounds, init.signal] : [...bounds]);
    const response = await openRequest({
      method: request.method === "GET" ? "GET" : "POST",
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: new Uint8Array(await request.arrayBuffer()),
      signal,
      // The checked stream has a limit and a fault of its own.
      max_bytes: Number.POSITIVE_INFINITY,
    });
    if (!response.ok) throw rejection(response.fault, signal);
    const { status, body } = response;
    if (status < 200 || status > 299) throw knownFault(await readBeginning(body)) ?? fault("http_status", status);
    return new Response(checkedStream(rejecting(body, signal), max_bytes));
  };
}

const rejection = ({ message, system_code }: HttpFault, signal: AbortSignal): unknown =>
  signal.aborted ? signal.reason : Object.assign(new Error(message), { code: system_code });

/** As much of it as can be had: the status is known already. Leaving the loop closes the connection. */
async function readBeginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      bytes += part.byteLength;
      if (bytes > ERROR_BYTES) break;
    }
  } catch {}
  return Buffer.concat(parts).toString("utf8");
}

async function* rejecting(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw error instanceof HttpFaultError ? rejection(error.fault, signal) : error;
  }
}

const ToolCall = z.looseObject({ function: z.looseObject({ name: z.string() }) });

const Chunk = z.union([
  z.looseObject({ error: z.unknown().refine((error) => error !== undefined) }),
  z.looseObject({
    message: z.looseObject({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z.array(ToolCall).nullish(),
    }),
    done: z.boolean(),
    done_reason: z.string().optional(),
  }),
]);

async function* linesOf(body: AsyncIterable<Uint8Array>, max_bytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = "";
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > max_bytes) throw fault("truncated", `longer than ${max_bytes} bytes`);
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest + decoder.decode();
}

/**
 * Reads an Ollama answer before the client library does. The library prints to the console what it cannot parse, takes a cut
 * answer for a whole one, and reads without limit; here each of these is a fault, and the socket is closed. The value of a JSON
 * text; throws a fault without quoting it. Two fields of one name say two things, so none of them counts.
 */
export function jsonIn(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined) throw fault("not_json");
  if (doubledField(text) !== null) throw fault("wrong_shape", "a field is there twice");
  return value;
}

function isLast(line: string): boolean {
  const chunk = Chunk.safeParse(jsonIn(line));
  if (!chunk.success) throw fault("wrong_shape", "not an Ollama stream");
  if ("error" in chunk.data) throw knownFault(String(chunk.data.error)) ?? fault("model_error");
  if (chunk.data.done_reason === "length") throw fault("truncated", "the model's answer was cut by its length");
  return chunk.data.done === true;
}

/** The lines of the stream up to and with the last one, each known to be a chunk. Throws a fault at the first that is not. */
export async function* checkedStream(body: AsyncIterable<Uint8Array>, max_bytes: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let last: string | null = null;
  for await (const line of linesOf(body, max_bytes)) {
    if (line.trim() === "") continue;
    if (isLast(line)) {
      last = line;
      break;
    }
    yield encoder.encode(`${line}\n`);
  }
  if (last === null) throw fault("truncated", "the stream ended early");
  // Only after the loop: leaving it has closed the body, and a reader that has the last line does not ask again.
  yield encoder.encode(`${last}\n`);
}

/** A model that goes on after its object was seen to write a line break or two before it. */
const MOST_BLANKS = 8;

/**
 * Reads the text of an answer that is one JSON object. It ends soon after the object: a small model may write blanks until its
 * limit. Ends with the stream, or at the eighth piece of blanks after the object. Text before that is read to its end, so that
 * the answer is not taken for the object; what comes later is not seen. A stream that is silent after the object is waited for:
 * it has not ended.
 */
export async function readObject(chunks: AsyncIterable<{ readonly text: string }>): Promise<string> {
  let text = "";
  let blanks = 0;
  for await (const { text: part } of chunks) {
    if (part !== "" && part.trim() === "" && closes(text)) blanks += 1;
    if (blanks === MOST_BLANKS) break;
    text += part;
  }
  return text;
}

const closes = (text: string): boolean => text.trimEnd().endsWith("}") && parseJson(text) !== undefined;

const FaultCode = z.enum([
  "http_status",
  "model_error",
  "not_json",
  "wrong_shape",
  "unknown_category",
  "truncated",
  "no_tools",
  "bad_call",
]);
type FaultCode = z.infer<typeof FaultCode>;

const Word = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,40}$/);
const SystemError = z.object({ code: Word });

/** `detail` is a constant text, a number or a name of the configuration, never free text of the server, the model or a command. */
export const fault = (code: FaultCode, detail?: string | number): Error =>
  new Error(detail === undefined ? code : `${code}: ${detail}`, { cause: code });

export const isFault = (error: unknown, code: FaultCode): boolean => error instanceof Error && error.cause === code;

/**
 * The reason why a response of the model was not used [7.8], as an error that the client library passes through unchanged. Maps
 * the known error messages of Ollama to faults, null for others. The message itself is not passed on.
 */
export function knownFault(words: string): Error | null {
  if (words.includes("does not support tools")) return fault("no_tools");
  if (/context length|available context/.test(words)) return fault("truncated", "the question exceeds the context");
  if (/tool call|failed to parse/i.test(words)) return fault("bad_call", "a tool call could not be parsed");
  return null;
}

/**
 * A stable code, with a colon and a detail if there is one: `timeout`, `unreachable: ECONNREFUSED`, `http_status: 503`.
 * Messages of other errors are omitted: they may quote an address with its password or a text of the server.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unreachable";
  if (error.name === "TimeoutError") return "timeout";
  if (FaultCode.safeParse(error.cause).success) return error.message;
  const detail = SystemError.safeParse(error).data?.code ?? Word.safeParse(error.name).data;
  return detail === undefined ? "unreachable" : `unreachable: ${detail}`;
}
