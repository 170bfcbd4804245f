// One request of a client on stdin, by HTTP to /mcp and back, on a connection of its own: requests do not wait for one
// another, and taking one back is to hang up. Either the client hears the answer, or it is known why it does not.
import { setTimeout as sleep } from "node:timers/promises";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from "@modelcontextprotocol/sdk/types.js";
import type { Failure } from "./undelivered.ts";

export type Way = {
  readonly url: string;
  readonly token: string;
  /** The revision that initialize has agreed on. */
  readonly version: string | undefined;
  /** Aborted when the client no longer wants an answer, and then gets none. */
  readonly signal: AbortSignal;
  /** Resolves once the client has the message, however slowly it reads. */
  readonly hear: (message: JSONRPCMessage) => Promise<void>;
};

/** Time for the last events of a stream that has ended to be read. */
const READING_MS = 100;

/** Null when the client has heard the answer or wants none. Never rejects. */
export async function deliver(request: JSONRPCRequest, way: Way): Promise<Failure | null> {
  const { url, token, version, signal, hear } = way;
  if (signal.aborted) return null;
  // Whatever is first decides: how the stream ends after the answer is no failure, while the client is still reading it.
  const { promise: outcome, resolve: decide } = Promise.withResolvers<Failure | null>();
  signal.addEventListener("abort", () => decide(null), { once: true });
  const transport = new StreamableHTTPClientTransport(new URL(`${url.replace(/\/+$/, "")}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: watchingFetch(decide),
  });
  transport.onmessage = (message) => {
    const is_answer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    // What answers something else is not for this client.
    if (is_answer && message.id !== request.id) return;
    const heard = hear(message);
    if (is_answer) decide(heard.then(() => null));
  };
  const onBroken = (error: unknown) => decide({ is: "broken", error });
  transport.onerror = onBroken;
  if (version !== undefined) transport.setProtocolVersion(version);
  await transport.start();
  transport.send(request).catch(onBroken);
  const failure = await outcome;
  // After its answer the server ends the stream, which leaves the connection for the next request.
  if (failure !== null || signal.aborted) await transport.close();
  return failure;
}

/** The library tells neither what a refusal says nor that there is no answer, or a stream that ends without one. */
const watchingFetch =
  (onFailure: (failure: Failure) => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const { status, body } = response;
    if (!response.ok || status === 202 || body === null) {
      onFailure({ is: "refused", status, body: await response.clone().text() });
      return response;
    }
    const watched = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        flush: () =>
          void sleep(READING_MS).then(() => onFailure({ is: "broken", error: new Error("the stream ended") })),
      }),
    );
    return new Response(watched, response);
  };
