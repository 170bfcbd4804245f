// A fetch for one call on a socket of its own, checked and bounded. Node's own fetch shares its sockets: an abort opens
// spare ones, which stay, and a kept socket that the server has closed meanwhile would spend the only attempt.
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { checkedStream } from "./checked-stream.ts";
import { fault, knownFault } from "./fault.ts";

/** An error that says more is not read to its end. */
const ERROR_BYTES = 65_536;

/** Rejects with the reason of the signal that ended it; no redirect is followed. The socket closes with the answer. */
export function oneSocketFetch(bounds: readonly AbortSignal[], max_bytes: number): typeof fetch {
  return async (input, init = {}) => {
    const request = new Request(input, init);
    const body = Buffer.from(await request.arrayBuffer());
    const signal = AbortSignal.any(init.signal ? [...bounds, init.signal] : [...bounds]);
    const answer = await send(request, body, signal);
    const status = answer.statusCode ?? 0;
    if (status < 200 || status > 299) {
      throw knownFault(await beginningOf(untilAborted(answer, signal))) ?? fault("http_status", status);
    }
    return new Response(checkedStream(untilAborted(answer, signal), max_bytes));
  };
}

function send({ url, method, headers }: Request, body: Buffer, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request(url, { method, headers: Object.fromEntries(headers), agent: false, signal })
      .on("response", resolve)
      .on("error", (error) => reject(signal.aborted ? signal.reason : error))
      .end(body);
  });
}

/** Whatever of it can be had: what the status says is known already. Leaving the loop closes the socket. */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
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

async function* untilAborted(answer: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* answer;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
