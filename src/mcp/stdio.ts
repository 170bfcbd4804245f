// `orch mcp`: MCP on stdin and stdout for hosts that start their servers themselves. It carries requests to the /mcp of a
// running orch and the answers back, and knows nothing of tools. Nothing else is ever written to stdout.
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CancelledNotificationSchema,
  InitializeResultSchema,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { deliver } from "./deliver.ts";

export type StdioBridge = {
  /** Of the running server, as in http://127.0.0.1:3400. */
  readonly url: string;
  readonly token: string;
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  /** For what is wrong with the client's own lines. */
  readonly stderr?: Writable;
};

/** How long answers under way may still take once nobody writes to stdin any more. */
const GRACE_MS = 1_000;

/** Resolves when stdin has ended, or nobody reads stdout any more. A server that cannot be reached does not end it. */
export async function bridgeStdio(options: StdioBridge): Promise<void> {
  const { url, token, stdin = process.stdin, stdout = process.stdout, stderr = process.stderr } = options;
  const host = new StdioServerTransport(stdin, stdout);
  const under_way = new Map<RequestId, { readonly gone: AbortController; readonly delivered: Promise<void> }>();
  let version: string | undefined;

  const tell = async (message: JSONRPCMessage): Promise<void> => {
    if (stdout.writable) await host.send(message);
  };

  function carry(request: JSONRPCRequest): void {
    const gone = new AbortController();
    const hear = (message: JSONRPCMessage) => {
      if (request.method === "initialize" && isJSONRPCResultResponse(message)) version = versionIn(message.result);
      return tell(message);
    };
    const delivered = deliver(request, { url, token, version, signal: gone.signal, hear }).finally(() =>
      under_way.delete(request.id),
    );
    under_way.set(request.id, { gone, delivered });
  }

  // A server without sessions has no use for any other notification, and asks nothing that could be answered.
  host.onmessage = (message) => {
    const cancelled = CancelledNotificationSchema.safeParse(message);
    if (isJSONRPCRequest(message)) carry(message);
    else if (cancelled.success) under_way.get(cancelled.data.params.requestId ?? "")?.gone.abort();
  };
  host.onerror = ({ message }) => void stderr.write(`orch mcp: a line on stdin was not understood: ${message}\n`);

  await listened(host, stdin, stdout);
  const left = [...under_way.values()];
  const done = new AbortController();
  const late = sleep(GRACE_MS, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([Promise.all(left.map(({ delivered }) => delivered)), late]);
  done.abort();
  for (const { gone } of left) gone.abort();
  await host.close();
}

const versionIn = (result: unknown): string | undefined =>
  InitializeResultSchema.safeParse(result).data?.protocolVersion;

/** Until either end of the client is gone. */
async function listened(host: StdioServerTransport, stdin: Readable, stdout: Writable): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  for (const event of ["end", "close"] as const) stdin.once(event, () => resolve());
  // Without a listener a broken pipe would be an error of the process.
  stdout.on("error", () => resolve());
  host.onclose = resolve;
  await host.start();
  await over;
}
