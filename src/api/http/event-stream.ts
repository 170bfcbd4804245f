// What the streams of server-sent events have in common: their input, the beginning and end of the answer, and a comment
// after a silence.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { type FieldIssue, OrchError } from "../../domain/errors.ts";
import { parseInput, readTextFields } from "../../schema/parse-input.ts";
import { type AnyOperation, invalidInput } from "../operations/operation.ts";
import type { Call, Reply } from "./context.ts";

/** After so long a silence a comment is sent, so that nothing on the way takes the connection for dead. */
export const SILENCE_SECONDS = 15;
/** Where too many calls wait, an operation returns at once. */
const PAUSE_MS = 500;

/** Resolves when the reader can take more. */
export type SendEvent = (text: string) => Promise<void>;

/** Resolves when `write` has, the reader has gone, or the server stops. */
export async function sendEvents(
  request: Call,
  response: Reply,
  signal: AbortSignal,
  write: (send: SendEvent) => Promise<void>,
): Promise<void> {
  response.status(200).set({ "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });
  response.flushHeaders();
  if (request.method === "HEAD") return void response.end();
  const send: SendEvent = async (text) => {
    if (!response.write(`${text}\n\n`)) await once(response, "drain", { signal });
  };
  await send("retry: 1000")
    .then(() => write(send))
    .catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  response.end();
}

/** After a wait that brought nothing. `begun` is when it began, by `performance.now()`. */
export async function keepAlive(send: SendEvent, begun: number, signal: AbortSignal): Promise<void> {
  if (performance.now() - begun < PAUSE_MS) await sleep(PAUSE_MS, undefined, { signal });
  await send(":");
}

/** A reader that connects again names the last event that it has. */
export function streamInput<I extends z.ZodType>(
  { name, input }: { readonly name: string; readonly input: I },
  { query, params, headers }: Call,
): z.output<I> {
  const last = headers["last-event-id"];
  const given = { ...Object(query), ...params, ...(last !== undefined && { after: last }) };
  const parsed = parseInput(input, readTextFields(input, given));
  if (parsed.ok) return parsed.value;
  throw invalidInput({ name }, inHeader(headers, parsed.issues));
}

/** The page before the stream begins: what is wrong with the position is named where the reader gave it. */
export async function firstPage<P>({ name }: { readonly name: string }, { headers }: Call, read: () => Promise<P>) {
  return read().catch((error: unknown) => {
    if (error instanceof OrchError && error.code === "input_invalid")
      throw invalidInput({ name }, inHeader(headers, error.issues));
    throw error;
  });
}

const inHeader = (headers: Call["headers"], issues: readonly FieldIssue[]): FieldIssue[] =>
  issues.map(({ path, message }) =>
    path === "after" && headers["last-event-id"] !== undefined ? { path: "Last-Event-ID", message } : { path, message },
  );

export function operationNamed(operations: readonly AnyOperation[], wanted: string): AnyOperation {
  const operation = operations.find(({ name }) => name === wanted);
  if (operation === undefined) throw new Error(`there is no operation ${wanted}`);
  return operation;
}
