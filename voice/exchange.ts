// One HTTP request: no redirect is followed, the whole exchange has a time limit, and no more of an answer is read than anyone
// needs. What goes wrong is told as data.
import { Agent, request } from "undici";

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The beginning of the body. */
  readonly text: string;
};

/** `unreachable`: nothing was sent. `broken`: the request was on its way, and may have had its effect. */
export type Fault = { readonly fault: "unreachable" | "broken" | "timeout"; readonly cause: string };

export type Ask = {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeout_ms: number;
};

const MAX_BYTES = 256 * 1024;

/** Where the connection did not come about, as Node and undici call it. */
const NOT_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|\w*_(SELF_SIGNED|CERT|CERT_LOCALLY|LEAF_SIGNATURE|ISSUER)\w*)$/;

export async function exchange({ method, url, headers, body, timeout_ms }: Ask): Promise<Answer | Fault> {
  // A connection of its own: one that was kept may be closing just then, and nobody could tell whether it was heard.
  const dispatcher = new Agent({ connect: { timeout: timeout_ms / 2 } });
  const signal = AbortSignal.timeout(timeout_ms);
  try {
    const sent = { method, headers, signal, dispatcher, reset: true, ...(body !== undefined && { body }) };
    const { statusCode: status, headers: answered, body: stream } = await request(url, sent);
    return { status, headers: answered, text: await beginningOf(stream) };
  } catch (error) {
    return faultOf(error, signal);
  } finally {
    void dispatcher.destroy();
  }
}

async function beginningOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES).toString("utf8");
}

function faultOf(error: unknown, signal: AbortSignal): Fault {
  if (signal.aborted) return { fault: "timeout", cause: "no answer in time" };
  const cause = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return { fault: NOT_CONNECTED.test(cause) ? "unreachable" : "broken", cause };
}
