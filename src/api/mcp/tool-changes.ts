// GET /mcp, where procedures are tools: the stream on which a client that listens learns that the list of tools has changed. There
// are no sessions, so nothing is kept for a client that is not connected; one that connects again lists the tools again.
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { SopTools } from "./sop-tools.ts";

export const LIST_CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" } as const;

/** After so long a silence a comment is sent, so that nothing on the way takes the connection for dead. */
const SILENCE_MS = 15_000;

/** Resolves when the client has gone or the server stops. */
export async function streamToolChanges(
  { method }: IncomingMessage,
  response: ServerResponse,
  { toolsChanged, signal }: Pick<SopTools, "toolsChanged"> & { readonly signal: AbortSignal },
): Promise<void> {
  const changes = toolsChanged(signal);
  response.writeHead(200, { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });
  response.flushHeaders();
  if (method === "HEAD") return void response.end();
  const timer = setInterval(() => response.write(":\n\n"), SILENCE_MS);
  try {
    for await (const _ of changes) {
      timer.refresh();
      if (!response.write(`data: ${JSON.stringify(LIST_CHANGED)}\n\n`)) await once(response, "drain", { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearInterval(timer);
    response.end();
  }
}
