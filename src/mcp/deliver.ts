// Carries one request of a client on stdin to /mcp over HTTP, and the answer back, on a connection of its own: requests do
// not wait for one another, and a client that takes one back hangs up. Either the client gets the answer, or it is known why not.
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { parseJson } from "../domain/json-values.ts";
import { readEvents } from "../http-client/event-stream.ts";
import { type HttpFault, HttpFaultError } from "../http-client/fault.ts";
import { type OpenResponse, openRequest, textOf } from "../http-client/request.ts";
import { messageHeaders } from "./message-headers.ts";
import type { DeliveryFailure } from "./no-response.ts";

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

/** Null when the client has the answer or wants none. Never rejects. */
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
