// Listens to a server outside of its responses, on the stream that it may offer [MCP, Listening for Messages from the Server]: a
// server that asks there and is not answered would wait in the middle of a call.
import { isRecord, type JsonFields, parseJson } from "../domain/json-values.ts";
import { readEvents } from "../http-client/event-stream.ts";
import { type HttpRequest, type OpenResponse, openRequest } from "../http-client/request.ts";
import { isSuccess, MAX_ANSWER_BYTES, mediaType } from "./post.ts";
import type { CallLimits } from "./reply.ts";
import { within } from "./within.ts";

type Listening = {
  readonly url: string;
  /** Of every request in the session. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly verify: HttpRequest["verify"];
  readonly answer: (own: JsonFields) => void;
};

export type ServerStream = {
  /** Opens it where it is offered and not open. A server that does not answer delays a call for a moment only. */
  readonly open: (limits: CallLimits) => Promise<void>;
  readonly close: () => void;
};

const OPENING_MS = 1_000;

export function createServerStream({ url, headers, verify, answer }: Listening): ServerStream {
  const closing = new AbortController();
  let isOffered = true;
  /** Some servers answer with the first thing that they ask: no call waits for that twice. */
  let isLate = false;
  /** Resolves when the server has answered; null while there is no stream. */
  let opening: Promise<void> | null = null;

  const listen = async (): Promise<void> => {
    const asked = { ...headers(), accept: "text/event-stream" };
    const limits = { max_bytes: MAX_ANSWER_BYTES, signal: closing.signal };
    const response = await openRequest({ method: "GET", url, headers: asked, verify, ...limits });
    if (response.ok && isSuccess(response) && mediaType(response) === "text/event-stream") {
      void readRequests(response, answer).finally(() => (opening = null));
      return;
    }
    opening = null;
    if (!response.ok) return;
    response.close();
    isOffered = mayBeOfferedLater(response.status);
  };

  return {
    open: async ({ limit_ms, signal }) => {
      if (!isOffered || closing.signal.aborted) return;
      opening ??= listen();
      if (isLate) return;
      const end = await within(opening, { limit_ms: Math.min(limit_ms, OPENING_MS), signal });
      isLate = end.is === "timed_out";
    },
    close: () => closing.abort(),
  };
}

/** Busy, or with another stream that is still open. 405 says that there is none. */
const mayBeOfferedLater = (status: number): boolean => status >= 500 || status === 409 || status === 429;

async function readRequests({ body }: OpenResponse, answer: Listening["answer"]): Promise<void> {
  try {
    for await (const { event = "message", data } of readEvents(body)) {
      const value = event === "message" ? parseJson(data) : null;
      if (isServerRequest(value)) answer(value);
    }
  } catch {
    // It is opened anew before the next request.
  }
}

export const isServerRequest = (value: unknown): value is JsonFields =>
  isRecord(value) && typeof value["method"] === "string" && value["id"] !== undefined;
