// Reads the stream of a task's journal, with what its running step writes, and connects again when the server restarts.
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { journalStream } from "../api/operations/shapes/journal.ts";
import { clearTextWarning } from "../config/connection.ts";
import { parseJson } from "../domain/json-values.ts";
import { hasEnded } from "../domain/outcome.ts";
import { readEvents, refreshing } from "../http-client/event-stream.ts";
import { HttpFaultError, type OpenResponse, openRequest, textOf } from "../http-client/request.ts";
import { refusal, strangeServer, unreachable, versionDiffers } from "./client.ts";
import type { CommandContext } from "./context.ts";
import { failed, tried } from "./failure.ts";
import { createPatience } from "./while-restarting.ts";

const SCHEMAS = journalStream.events;
type Data = { readonly [K in keyof typeof SCHEMAS]: z.output<(typeof SCHEMAS)[K]> };

/** `lost`: the connection was lost, and what was sent of a running step will come again. `over`: it had ended before. */
type StreamItem =
  | { readonly kind: "event"; readonly event: Data["message"] }
  | { readonly kind: "output"; readonly piece: Data["output"] }
  | { readonly kind: "status"; readonly status: Data["status"]["status"] }
  | { readonly kind: "lost" | "over" };

/** The server sends a comment every 15 s: after so long without a byte the connection is dead. */
const SILENCE_MS = 60_000;
const PAUSE_MS = 500;
/** Of one connection; the next goes on where it ended. */
const MAX_BYTES = 256 * 1024 * 1024;
const NO_CONTENT = 204;

/** Ends after the status of an ended task, or `over`. */
export async function* followJournal(context: CommandContext, task_id: string): AsyncGenerator<StreamItem> {
  const connection = await context.connect();
  const warning = clearTextWarning(connection);
  if (warning !== null) context.out.note(`orch: ${warning}`);
  const patience = createPatience(context, false);
  for (let after = 0; ; ) {
    const opened = await tried(open(connection, task_id, after));
    if (!opened.ok) {
      if (opened.failure.code === "unreachable" && (await patience.pause())) continue;
      return failed(opened.failure);
    }
    patience.answered();
    if (opened.value.status === NO_CONTENT) return yield { kind: "over" };
    const before = after;
    for await (const item of itemsOf(connection, opened.value)) {
      yield item;
      if (item.kind === "status" && hasEnded(item.status)) return;
      if (item.kind === "event") after = item.event.seq;
    }
    yield { kind: "lost" };
    if (after === before) await sleep(PAUSE_MS);
  }
}

type Connection = Awaited<ReturnType<CommandContext["connect"]>>;

async function open(connection: Connection, task_id: string, after: number): Promise<OpenResponse> {
  const { token } = connection;
  const path = journalStream.path.replace("{task_id}", encodeURIComponent(task_id));
  const query = new URLSearchParams({ output: "live", ...(after > 0 && { after: String(after) }) });
  const headers = {
    accept: "text/event-stream",
    ...(token.value !== null && { authorization: `Bearer ${token.value}` }),
  };
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const response = await openRequest({
    method: "GET",
    url: `${connection.url}${path}?${query}`,
    headers,
    signal: silence.signal,
    max_bytes: MAX_BYTES,
  });
  if (!response.ok) {
    clearTimeout(timer);
    return failed(unreachable(connection, response.fault));
  }
  const isStream = response.headers["content-type"]?.startsWith("text/event-stream") === true;
  const body = refreshing(response.body, timer);
  if (response.status === NO_CONTENT || (response.status === 200 && isStream)) return { ...response, body };
  const answer = { ...response, text: await textOf(body).catch(() => "") };
  return failed(response.status === 200 ? strangeServer(connection, answer) : refusal(connection, token, answer));
}

/** Ends when the connection does. */
async function* itemsOf(connection: Connection, { body }: OpenResponse): AsyncGenerator<StreamItem> {
  try {
    for await (const { event: name = "message", data } of readEvents(body)) {
      const value = parseJson(data);
      if (name === "message") yield itemOf(connection, SCHEMAS.message, value, (event) => ({ kind: "event", event }));
      if (name === "output") yield itemOf(connection, SCHEMAS.output, value, (piece) => ({ kind: "output", piece }));
      if (name === "status")
        yield itemOf(connection, SCHEMAS.status, value, ({ status }) => ({ kind: "status", status }));
    }
  } catch (error) {
    if (!(error instanceof HttpFaultError)) throw error;
  }
}

function itemOf<S extends z.ZodType>(
  connection: Connection,
  schema: S,
  value: unknown,
  item: (data: z.output<S>) => StreamItem,
): StreamItem {
  const read = schema.safeParse(value);
  return read.success ? item(read.data) : failed(versionDiffers(connection, journalStream.name, read.error));
}
