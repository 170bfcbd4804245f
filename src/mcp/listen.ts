// Listens to the stream of a running orch for a client on stdin, and passes on that the list of tools has changed. What was missed
// while there was no connection counts as a change.
import { setTimeout as sleep } from "node:timers/promises";
import { readEvents, refreshing } from "../http-client/event-stream.ts";
import { openRequest } from "../http-client/request.ts";
import type { Delivery } from "./deliver.ts";
import { LIST_CHANGED } from "./tool-changes.ts";

const PAUSE_MS = 1_000;
/** The server sends a comment every 15 s: after so long without a byte the connection is dead. */
const SILENCE_MS = 60_000;
const MAX_BYTES = 256 * 1024 * 1024;

/** Resolves when the signal aborts, or the server says that it announces nothing. Never rejects. */
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
