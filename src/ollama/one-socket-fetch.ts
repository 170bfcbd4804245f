// A fetch for one call to a model on a connection of its own, checked and bounded: the client library takes a fetch.
import { type HttpFault, HttpFaultError } from "../http-client/fault.ts";
import { openRequest } from "../http-client/request.ts";
import { checkedStream } from "./checked-stream.ts";
import { fault, knownFault } from "./fault.ts";

/** An error that says more is not read to its end. */
const ERROR_BYTES = 65_536;

/** Rejects with the reason of the signal that ended it. The connection closes with the answer. */
export function oneSocketFetch(bounds: readonly AbortSignal[], max_bytes: number): typeof fetch {
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
