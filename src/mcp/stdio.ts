// `orch mcp`: MCP on stdin and stdout for hosts that start their servers themselves. It passes requests to the /mcp of a
// running orch and the answers back. Nothing else is written to stdout.
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CancelledNotificationSchema,
  InitializedNotificationSchema,
  InitializeResultSchema,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { createLines } from "../domain/lines.ts";
import { deliver } from "./deliver.ts";
import { forwardToolChanges } from "./listen.ts";
import type { MessageFault } from "./message.ts";
import { noResponseError, wasNotReached } from "./no-response.ts";
import { readLine } from "./read-line.ts";

export type StdioBridge = {
  /** Of the running server, as in http://127.0.0.1:3400. */
  readonly url: string;
  readonly token: string;
  /** Called when the server is gone; true when there is one again. */
  readonly revive?: () => Promise<boolean>;
  readonly stdin?: Readable;
  readonly stdout?: Writable;
};

/** How long pending answers may still take after stdin has ended. */
const GRACE_MS = 1_000;
/** More than /mcp accepts, so that /mcp refuses a long message, and names the request. */
const MAX_LINE_BYTES = 10 * 1024 * 1024;

/** Resolves when stdin has ended or stdout is closed. A server that cannot be reached does not end it. */
export async function bridgeStdio(options: StdioBridge): Promise<void> {
  const { url, token, revive = async () => false, stdin = process.stdin, stdout = process.stdout } = options;
  const under_way = new Map<RequestId, { readonly gone: AbortController; readonly delivered: Promise<void> }>();
  let version: string | undefined;
  let announces = false;
  const over = new AbortController();

  async function send(message: JSONRPCMessage | MessageFault): Promise<void> {
    if (!stdout.writable) return;
    await new Promise<void>((resolve) => stdout.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }

  async function answer(request: JSONRPCRequest, signal: AbortSignal): Promise<void> {
    const hear = (message: JSONRPCMessage) => {
      if (request.method === "initialize" && isJSONRPCResultResponse(message)) {
        version = versionIn(message.result);
        announces = announcesTools(message.result);
      }
      return send(message);
    };
    const attempt = () => deliver(request, { url, token, version, signal, hear });
    let failure = await attempt();
    if (failure !== null && wasNotReached(failure) && (await revive())) failure = await attempt();
    if (failure === null || signal.aborted) return;
    await send({ jsonrpc: "2.0", id: request.id, error: noResponseError(failure, url) });
  }

  function carry(request: JSONRPCRequest): void {
    const gone = new AbortController();
    const delivered = answer(request, gone.signal).finally(() => under_way.delete(request.id));
    under_way.set(request.id, { gone, delivered });
  }

  function listen(): void {
    if (!announces) return;
    announces = false;
    void forwardToolChanges({ url, token, version, signal: over.signal, hear: send });
  }

  // A server without sessions needs no other notification, and asks nothing that a client could answer.
  function take(message: JSONRPCMessage): void {
    const cancelled = CancelledNotificationSchema.safeParse(message);
    if (isJSONRPCRequest(message)) carry(message);
    else if (InitializedNotificationSchema.safeParse(message).success) listen();
    else if (cancelled.success) under_way.get(cancelled.data.params.requestId ?? "")?.gone.abort();
  }

  await listened(stdin, stdout, (line) => {
    const reading = readLine(line);
    if (reading?.ok === true) take(reading.message);
    else if (reading !== null) void send(reading.fault);
  });
  over.abort();
  const left = [...under_way.values()];
  const done = new AbortController();
  const late = sleep(GRACE_MS, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([Promise.all(left.map(({ delivered }) => delivered)), late]);
  done.abort();
  for (const { gone } of left) gone.abort();
}

const versionIn = (result: unknown): string | undefined =>
  InitializeResultSchema.safeParse(result).data?.protocolVersion;

const announcesTools = (result: unknown): boolean =>
  InitializeResultSchema.safeParse(result).data?.capabilities.tools?.listChanged === true;

/** Until stdin or stdout of the client is closed. */
async function listened(stdin: Readable, stdout: Writable, hear: (line: string | null) => void): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const cut = createLines(MAX_LINE_BYTES, hear);
  stdin.on("data", cut);
  // The last line may lack its end.
  stdin.once("end", () => cut(Buffer.from("\n")));
  for (const event of ["end", "close", "error"] as const) stdin.once(event, () => resolve());
  // Without a listener a broken pipe would be an error of the process.
  stdout.on("error", () => resolve());
  await over;
  stdin.off("data", cut).pause();
}
