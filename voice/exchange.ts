// Sends one HTTP request: no redirect is followed, the whole exchange has a time limit, and the length of the response is
// limited. A fault is returned as data.
import { Agent, request } from "undici";

export type ProviderResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The beginning of the body. */
  readonly text: string;
};

/** `unreachable`: nothing was sent. `broken`: the request was sent in part or whole and may have had its effect. */
export type ProviderFault = { readonly fault: "unreachable" | "broken" | "timeout"; readonly cause: string };

export type Ask = {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeout_ms: number;
};

const MAX_BYTES = 256 * 1024;

export async function exchange({
  method,
  url,
  headers,
  body,
  timeout_ms,
}: Ask): Promise<ProviderResponse | ProviderFault> {
  // One connection per request (D-153): a kept one may be closing, and then it is unknown whether the request was received.
  // No HTTP/2, where the client itself may repeat a request.
  const dispatcher = new Agent({ allowH2: false, connect: { timeout: timeout_ms / 2 } });
  let connected = false;
  dispatcher.once("connect", () => {
    connected = true;
  });
  const signal = AbortSignal.timeout(timeout_ms);
  try {
    const sent = { method, headers, signal, dispatcher, reset: true, ...(body !== undefined && { body }) };
    const { statusCode: status, headers: answered, body: stream } = await request(url, sent);
    return { status, headers: answered, text: await beginningOf(stream) };
  } catch (error) {
    const cause = signal.aborted ? "no answer in time" : causeOf(error);
    return { fault: connected ? (signal.aborted ? "timeout" : "broken") : "unreachable", cause };
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

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

/** Parses JSON from outside, before a schema checks it. Undefined when the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
