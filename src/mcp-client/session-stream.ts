// The response to a request in a session, from a stream of events. A stream that ends too early is resumed where its events
// have ids [MCP, Resumability and Redelivery]; the request itself is never sent again.
import { setTimeout as sleep } from "node:timers/promises";
import { type JsonFields, parseJson } from "../domain/json-values.ts";
import { readEvents } from "../http-client/event-stream.ts";
import { type HttpFault, HttpFaultError } from "../http-client/fault.ts";
import { type HttpRequest, type OpenResponse, openRequest } from "../http-client/request.ts";
import { isSuccess, MAX_ANSWER_BYTES, mediaType, replyOfFault } from "./post.ts";
import { type CallLimits, stopped, type ToolServerReply, timedOut } from "./reply.ts";
import { beginsAsResponse, doubledAnswer, responseInSession } from "./rpc-message.ts";
import { isServerRequest } from "./server-stream.ts";

export type AwaitedResponse = {
  readonly id: number;
  readonly url: string;
  /** Of every request in the session. */
  readonly headers: Readonly<Record<string, string>>;
  readonly verify: HttpRequest["verify"];
  readonly limits: CallLimits;
  /** Answers what the server asks before it responds. */
  readonly answer: (own: JsonFields) => void;
};

/** Before the first resumption, where the server does not say how long to wait. */
const FIRST_PAUSE_MS = 1_000;
/** A server may end its stream at once whenever it is resumed: each time is later. */
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** How many resumptions in a row may fail. */
const RESUME_TRIES = 2;

type StreamState = { last_event_id: string; retry_ms: number; resumed: number };

export async function responseInStream(awaited: AwaitedResponse, response: OpenResponse): Promise<ToolServerReply> {
  const until = performance.now() + awaited.limits.limit_ms;
  const state: StreamState = { last_event_id: "", retry_ms: FIRST_PAUSE_MS, resumed: 0 };
  for (let stream = response; ; ) {
    const end = await readStream(awaited, stream, state);
    if ("is" in end) return end;
    const isFinal = end.fault !== null && end.fault.code !== "lost";
    if (isFinal || state.last_event_id === "") return endedEarly(end.fault, awaited.limits);
    const resumed = await resume(awaited, state, until);
    if ("is" in resumed) return resumed;
    stream = resumed;
  }
}

function endedEarly(fault: HttpFault | null, limits: CallLimits): ToolServerReply {
  if (fault === null) return { is: "lost", message: "the connection ended before the answer came" };
  if (fault.code === "timed_out" || fault.code === "aborted") return replyOfFault(fault, limits);
  return { is: "lost", message: `the connection was lost before the answer came: ${fault.message}` };
}

type StreamEnd = ToolServerReply | { readonly fault: HttpFault | null };

async function readStream(
  { id, answer }: AwaitedResponse,
  { body }: OpenResponse,
  state: StreamState,
): Promise<StreamEnd> {
  let cut = "";
  const listeners = {
    onRetry: (wait_ms: number) => {
      state.retry_ms = wait_ms;
    },
    onCut: (data: string) => {
      cut = data;
    },
  };
  try {
    for await (const { id: event_id, event = "message", data } of readEvents(body, listeners)) {
      state.last_event_id = event_id ?? state.last_event_id;
      if (event !== "message") continue;
      const value = parseJson(data);
      if (isServerRequest(value)) answer(value);
      const reply = responseInSession(value, id);
      // What cannot be read is not about this request.
      if (reply !== null && !(reply.is === "lost" && reply.is_garbled)) return doubledAnswer(data) ?? reply;
    }
    return { fault: null };
  } catch (error) {
    if (!(error instanceof HttpFaultError)) throw error;
    const { code, message } = error.fault;
    return code === "too_large" && beginsAsResponse(cut) ? { is: "too_large", message } : { fault: error.fault };
  }
}

/** Asks for the stream from the last event on, again and later when that fails. */
async function resume(
  { url, headers, verify, limits: { limit_ms, signal } }: AwaitedResponse,
  state: StreamState,
  until: number,
): Promise<OpenResponse | ToolServerReply> {
  for (let failures = 0; ; ) {
    const growing = state.resumed === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** state.resumed);
    const pause_ms = Math.min(Math.max(state.retry_ms, growing), Math.max(0, until - performance.now()));
    await sleep(pause_ms, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return stopped();
    if (performance.now() >= until) return timedOut(limit_ms);
    const response = await openRequest({
      method: "GET",
      url,
      headers: { ...headers, accept: "text/event-stream", "last-event-id": state.last_event_id },
      max_bytes: MAX_ANSWER_BYTES,
      verify,
      limit_ms: Math.max(1, until - performance.now()),
      signal,
    });
    state.resumed += 1;
    if (response.ok && isSuccess(response) && mediaType(response) === "text/event-stream") return response;
    const reason = response.ok ? `HTTP ${response.status}` : response.fault.message;
    if (response.ok) response.close();
    failures += 1;
    const isRefused = response.ok && response.status === 405;
    if (isRefused || failures >= RESUME_TRIES)
      return { is: "lost", message: `its stream could not be resumed: ${reason}` };
  }
}
