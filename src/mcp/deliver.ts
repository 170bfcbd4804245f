// One request of a client on stdin, by HTTP to /mcp and back, on a connection of its own: requests do not wait for one
// another, and taking one back is to hang up. Whatever happens, the client gets an answer.
import { setTimeout as sleep } from "node:timers/promises";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { type Failure, whyUndelivered } from "./undelivered.ts";

export type Way = {
  readonly url: string;
  readonly token: string;
  /** The revision that initialize has agreed on. */
  readonly version: string | undefined;
  /** Aborted when the client no longer wants an answer, and then gets none. */
  readonly signal: AbortSignal;
  readonly hear: (message: JSONRPCMessage) => Promise<void>;
};

/** Time for the last events of a stream that has ended to be read. */
const READING_MS = 100;

/** Never rejects. */
export async function deliver(request: JSONRPCRequest, { url, token, version, signal, hear }: Way): Promise<void> {
  const answered = Promise.withResolvers<null>();
  const failed = Promise.withResolvers<Failure>();
  const hung_up = Promise.withResolvers<null>();
  signal.addEventListener("abort", () => hung_up.resolve(null), { once: true });
  const transport = new StreamableHTTPClientTransport(new URL(`${url.replace(/\/+$/, "")}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: watchingFetch((failure) => failed.resolve(failure)),
  });
  transport.onmessage = (message) => {
    const isLast = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    void hear(message).then(() => isLast && answered.resolve(null));
  };
  const onBroken = (error: unknown) => failed.resolve({ is: "broken", error });
  transport.onerror = onBroken;
  if (version !== undefined) transport.setProtocolVersion(version);
  await transport.start();
  transport.send(request).catch(onBroken);
  const failure = await Promise.race([answered.promise, hung_up.promise, failed.promise]);
  // After its answer the server ends the stream, which leaves the connection for the next request.
  if (failure === null && !signal.aborted) return;
  await transport.close();
  if (failure !== null) await hear({ jsonrpc: "2.0", id: request.id, error: whyUndelivered(failure, url) });
}

/** The library tells neither what a refusal says nor that a stream has ended without an answer. */
const watchingFetch =
  (onFailure: (failure: Failure) => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const { status, body } = response;
    if (!response.ok) onFailure({ is: "refused", status, body: await response.clone().text() });
    if (!response.ok || body === null) return response;
    const watched = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        flush: () =>
          void sleep(READING_MS).then(() => onFailure({ is: "broken", error: new Error("the stream ended") })),
      }),
    );
    return new Response(watched, response);
  };
