// Runs `orch mcp`: MCP on stdin and stdout for hosts that start their servers themselves. It passes requests to the /mcp of a
// running orch and the answers and changes of tools back. Nothing else is written to stdout.
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CancelledNotificationSchema,
  InitializedNotificationSchema,
  InitializeResultSchema,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { parseJson } from "../../domain/json-values.ts";
import { createLines } from "../../domain/output-lines.ts";
import { readEvents, refreshing } from "../../http-client/event-stream.ts";
import { type HttpFault, HttpFaultError, type OpenResponse, openRequest, textOf } from "../../http-client/request.ts";
import { type MessageFault, type MessageReading, readMessage, unreadable } from "./message.ts";
import { LIST_CHANGED } from "./tool-changes.ts";

export type StdioBridge = {
  /** Of the running server, as in http://127.0.0.1:3400. */
  readonly url: string;
  readonly token: string;
  /** Called when the server is gone; true when there is one again. */
  readonly revive?: () => Promise<boolean>;
  readonly stdin?: Readable;
  readonly stdout?: Writable;
};

/** How long pending answers may still take after stdin has ended. */
const GRACE_MS = 1_000;
/** More than /mcp accepts, so that /mcp refuses a long message, and names the request. */
const MAX_LINE_BYTES = 10 * 1024 * 1024;

/** Resolves when stdin has ended or stdout is closed. A server that cannot be reached does not end it. */
export async function bridgeStdio(options: StdioBridge): Promise<void> {
  const { url, token, revive = async () => false, stdin = process.stdin, stdout = process.stdout } = options;
  const under_way = new Map<RequestId, { readonly gone: AbortController; readonly delivered: Promise<void> }>();
  let version: string | undefined;
  let announces = false;
  const over = new AbortController();

  async function send(message: JSONRPCMessage | MessageFault): Promise<void> {
    if (!stdout.writable) return;
    await new Promise<void>((resolve) => stdout.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }

  async function answer(request: JSONRPCRequest, signal: AbortSignal): Promise<void> {
    const hear = (message: JSONRPCMessage) => {
      if (request.method === "initialize" && isJSONRPCResultResponse(message)) {
        version = versionIn(message.result);
        announces = announcesTools(message.result);
      }
      return send(message);
    };
    const attempt = () => deliver(request, { url, token, version, signal, hear });
    let failure = await attempt();
    if (failure !== null && wasNotReached(failure) && (await revive())) failure = await attempt();
    if (failure === null || signal.aborted) return;
    await send({ jsonrpc: "2.0", id: request.id, error: noResponseError(failure, url) });
  }

  function carry(request: JSONRPCRequest): void {
    const gone = new AbortController();
    const delivered = answer(request, gone.signal).finally(() => under_way.delete(request.id));
    under_way.set(request.id, { gone, delivered });
  }

  function listen(): void {
    if (!announces) return;
    announces = false;
    void forwardToolChanges({ url, token, version, signal: over.signal, hear: send });
  }

  // A server without sessions needs no other notification, and asks nothing that a client could answer.
  function take(message: JSONRPCMessage): void {
    const cancelled = CancelledNotificationSchema.safeParse(message);
    if (isJSONRPCRequest(message)) carry(message);
    else if (InitializedNotificationSchema.safeParse(message).success) listen();
    else if (cancelled.success) under_way.get(cancelled.data.params.requestId ?? "")?.gone.abort();
  }

  await listened(stdin, stdout, (line) => {
    const reading = readLine(line);
    if (reading?.ok === true) take(reading.message);
    else if (reading !== null) void send(reading.fault);
  });
  over.abort();
  const left = [...under_way.values()];
  const done = new AbortController();
  const late = sleep(GRACE_MS, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([Promise.all(left.map(({ delivered }) => delivered)), late]);
  done.abort();
  for (const { gone } of left) gone.abort();
}

const versionIn = (result: unknown): string | undefined =>
  InitializeResultSchema.safeParse(result).data?.protocolVersion;

const announcesTools = (result: unknown): boolean =>
  InitializeResultSchema.safeParse(result).data?.capabilities.tools?.listChanged === true;

/** Until stdin or stdout of the client is closed. */
async function listened(stdin: Readable, stdout: Writable, hear: (line: string | null) => void): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const cut = createLines(MAX_LINE_BYTES, hear);
  stdin.on("data", cut);
  // The last line may lack its end.
  stdin.once("end", () => cut(Buffer.from("\n")));
  for (const event of ["end", "close", "error"] as const) stdin.once(event, () => resolve());
  // Without a listener a broken pipe would be an error of the process.
  stdout.on("error", () => resolve());
  await over;
  stdin.off("data", cut).pause();
}

/**
 * Reads what a client writes to stdin: one message on each line. A line that is too long is refused alone. Null for an empty
 * line.
 */
function readLine(line: string | null): MessageReading | null {
  if (line === null) return unreadable("invalid_request", "This message is too large.");
  if (line.trim() === "") return null;
  try {
    return readMessage(JSON.parse(line));
  } catch {
    return unreadable("not_json", "This line is not JSON.");
  }
}

const PAUSE_MS = 1_000;
/** The server sends a comment every 15 s: after so long without a byte the connection is dead. */
const SILENCE_MS = 60_000;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Listens to the stream of a running orch for a client on stdin, and passes on that the list of tools has changed. What was
 * missed while there was no connection counts as a change. Resolves when the signal aborts, or the server says that it announces
 * nothing. Never rejects.
 */
export async function forwardToolChanges(listening: Delivery): Promise<void> {
  const { signal, hear } = listening;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const stream = await open(listening);
    if (stream === "refused") return;
    if (stream !== null) {
      if (!isFirst) await hear(LIST_CHANGED);
      for await (const _ of eventsOf(stream)) await hear(LIST_CHANGED);
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

type Body = AsyncIterable<Uint8Array>;

/** Null without a connection. */
async function open({ url, token, version, signal }: Delivery): Promise<Body | "refused" | null> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS).unref();
  const response = await openRequest({
    method: "GET",
    url: `${url.replace(/\/+$/, "")}/mcp`,
    headers: {
      accept: "text/event-stream",
      authorization: `Bearer ${token}`,
      ...(version !== undefined && { "mcp-protocol-version": version }),
    },
    signal: AbortSignal.any([signal, silence.signal]),
    max_bytes: MAX_BYTES,
  });
  if (!response.ok) {
    clearTimeout(timer);
    return null;
  }
  if (response.status === 200) return refreshing(response.body, timer);
  clearTimeout(timer);
  response.close();
  // Where a server is busy or starts, it is asked again.
  return response.status === 429 || response.status >= 500 ? null : "refused";
}

/** Ends when the connection does. */
async function* eventsOf(body: Body): AsyncGenerator<void> {
  try {
    for await (const { data } of readEvents(body)) if (data !== "") yield;
  } catch {
    // The connection was lost.
  }
}

export type Delivery = {
  readonly url: string;
  readonly token: string;
  /** The revision that initialize has agreed on. */
  readonly version: string | undefined;
  /** Aborted when the client no longer wants an answer, and then gets none. */
  readonly signal: AbortSignal;
  /** Resolves once the client has the message, however slowly it reads. */
  readonly hear: (message: JSONRPCMessage) => Promise<void>;
};

const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
const NO_BODY: ReadonlySet<number> = new Set([202, 204]);

/**
 * Carries one request of a client on stdin to /mcp over HTTP, and the answer back, on a connection of its own: requests do not
 * wait for one another, and a client that takes one back hangs up. Either the client gets the answer, or it is known why not.
 * Null when the client has the answer or wants none. Never rejects.
 */
export async function deliver(request: JSONRPCRequest, delivery: Delivery): Promise<DeliveryFailure | null> {
  const { url, token, version, signal, hear } = delivery;
  if (signal.aborted) return null;
  const response = await openRequest({
    method: "POST",
    url: `${url.replace(/\/+$/, "")}/mcp`,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
      ...messageHeaders(request, version),
    },
    body: JSON.stringify(request),
    signal,
    max_bytes: MAX_ANSWER_BYTES,
  });
  if (!response.ok) return signal.aborted ? null : { is: "broken", fault: response.fault };
  try {
    const { status, body } = response;
    if (status < 200 || status > 299 || NO_BODY.has(status)) return { is: "refused", status, body: await textOf(body) };
    const answer = await answerTo(request, response, hear);
    if (answer === null) return { is: "broken", fault: NO_ANSWER };
    await hear(answer);
    return null;
  } catch (error) {
    if (signal.aborted) return null;
    return { is: "broken", fault: error instanceof HttpFaultError ? error.fault : NO_ANSWER };
  }
}

const NO_ANSWER: HttpFault = { code: "lost", message: "it ended without an answer", system_code: "", sent: true };

/** Messages before the answer are passed on; an answer to another request is not for this client. */
async function answerTo(
  { id }: JSONRPCRequest,
  response: OpenResponse,
  hear: Delivery["hear"],
): Promise<JSONRPCMessage | null> {
  for await (const value of messagesIn(response)) {
    const message = JSONRPCMessageSchema.parse(value);
    if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) void hear(message);
    else if (message.id === id) return message;
  }
  return null;
}

async function* messagesIn({ headers, body }: OpenResponse): AsyncGenerator<unknown> {
  if (headers["content-type"]?.startsWith("text/event-stream") !== true) {
    const value = parseJson(await textOf(body));
    return Array.isArray(value) ? yield* value : yield value;
  }
  for await (const { event = "message", data } of readEvents(body)) {
    if (event === "message" && data !== "") yield parseJson(data);
  }
}

/** Why there is no MCP response: the server returned an HTTP error status, or the connection failed. */
type DeliveryFailure =
  | { readonly is: "refused"; readonly status: number; readonly body: string }
  | { readonly is: "broken"; readonly fault: Pick<HttpFault, "system_code" | "sent"> };

type RpcError = { code: number; message: string; data?: unknown };

const Issue = z.object({ path: z.string(), message: z.string() });
/** The first JSON-RPC error code for servers and transports. */
const NO_RESPONSE = -32000;
const UNAUTHORIZED = 401;

const RpcFailure = z.object({ error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }) });
const Problem = z.object({ code: z.string(), detail: z.string(), issues: z.array(Issue).default([]) });

/** Builds the error for a client of the stdio transport whose request did not reach orch, or got no response. */
export function noResponseError(failure: DeliveryFailure, url: string): RpcError {
  return failure.is === "refused" ? refusal(failure, url) : brokenConnection(failure.fault, url);
}

function refusal({ status, body }: Extract<DeliveryFailure, { is: "refused" }>, url: string): RpcError {
  const response = parseJson(body);
  const failed = RpcFailure.safeParse(response);
  if (failed.success && status !== UNAUTHORIZED) return failed.data.error;
  const problem = Problem.safeParse(response);
  const { code, detail, issues } = problem.success
    ? problem.data
    : { code: "unknown", detail: body.slice(0, 200) || "nothing", issues: [] };
  const fields = issues.map(({ path, message }) => ` ${path} ${message}.`).join("");
  const message =
    status === UNAUTHORIZED
      ? `orch at ${url} refuses the token. Use the one of the running server: ORCH_TOKEN, or the file "token" in its data directory.`
      : `orch at ${url} answered ${status}: ${detail}${fields}`;
  return { code: NO_RESPONSE, message, data: { status, code, ...(issues.length > 0 && { issues }) } };
}

/** Whether the request was not sent: then the caller may send it again. */
export const wasNotReached = (failure: DeliveryFailure): boolean => failure.is === "broken" && !failure.fault.sent;

function brokenConnection({ system_code, sent }: Pick<HttpFault, "system_code" | "sent">, url: string): RpcError {
  const code = system_code || "connection lost";
  const message = !sent
    ? `orch cannot be reached at ${url} (${code}). Start it with: orch serve`
    : `The connection to orch at ${url} was lost before the response arrived (${code}). The call may have taken effect: look with get_task or list_tasks before you repeat it.`;
  return { code: NO_RESPONSE, message, data: { code } };
}

// The headers in which a request of MCP over HTTP repeats its message: the revision, and since 2026-07-28 the method and the name.

const NAMED = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

const Claim = z.object({ "io.modelcontextprotocol/protocolVersion": z.string() });

/** `agreed` is the revision of initialize; a request that names its own needs none. */
export function messageHeaders({ method, params }: JSONRPCRequest, agreed: string | undefined): Record<string, string> {
  const { data: claim } = Claim.safeParse(params?._meta);
  if (claim === undefined) return agreed === undefined ? {} : { "mcp-protocol-version": agreed };
  const name = params?.[NAMED.get(method) ?? ""];
  return {
    "mcp-protocol-version": inHeader(claim["io.modelcontextprotocol/protocolVersion"]),
    "mcp-method": inHeader(method),
    ...(typeof name === "string" && { "mcp-name": inHeader(name) }),
  };
}

/** Text that a header cannot carry as it is, or that looks like this form, goes in base64. */
function inHeader(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && text.trim() === text && text !== "" && !text.startsWith("=?base64?");
  return isPlain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
