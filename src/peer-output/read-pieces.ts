// Reads what the steps of a task write on another server, from that server. It is believed no more than any other peer: what comes is
// parsed and bounded, and no redirect is followed, which would carry the secret away.
import { createParser } from "eventsource-parser";
import { z } from "zod";
import { parseJson } from "../domain/json-values.ts";
import { LivePiece, OUTPUT_PATH, type OutputRoute } from "../domain/live-output.ts";
import { HttpFaultError, isRedirect, REDIRECTED } from "../http-client/fault.ts";
import { type OpenResponse, openRequest } from "../http-client/request.ts";

/** The other server sends at least a comment each 5 s. */
const SILENCE_MS = 15_000;
/** Of one event: a piece of some 32 KiB, in which each character may be escaped. */
const MOST_CHARACTERS = 512 * 1024;

const Piece = LivePiece.extend({
  index: z.int().min(0),
  attempt: z.int().min(1),
  missed_bytes: z.int().min(0),
});

/** Null: the task has gone from that server, or the signal has aborted. */
export type PiecesEnd = { readonly fault: string } | null;

type Reading = {
  readonly task_id: string;
  /** Called when the other server sends what there is. */
  readonly onOpen: () => void;
  readonly onPiece: (piece: LivePiece) => void;
  readonly signal: AbortSignal;
  readonly silence_ms?: number;
};

export async function readPieces(
  { url, secret }: Pick<OutputRoute, "url" | "secret">,
  { task_id, onOpen, onPiece, signal, silence_ms = SILENCE_MS }: Reading,
): Promise<PiecesEnd> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), silence_ms);
  try {
    const response = await openRequest({
      ...{ method: "GET", url: url + OUTPUT_PATH.replace("{task_id}", encodeURIComponent(task_id)) },
      headers: { authorization: `Bearer ${secret}`, accept: "text/event-stream" },
      ...{ signal: AbortSignal.any([signal, silent.signal]), max_bytes: Number.MAX_SAFE_INTEGER },
    });
    if (!response.ok) throw new HttpFaultError(response.fault);
    const refusal = refusalOf(response);
    if (refusal !== null) {
      response.close();
      return response.status === 404 ? null : { fault: refusal };
    }
    onOpen();
    await readBody(response, { onPiece, refresh: () => void timer.refresh() });
    return null;
  } catch (error) {
    if (signal.aborted) return null;
    if (silent.signal.aborted) return { fault: "it is silent" };
    return { fault: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

class NoPieces extends Error {}

function refusalOf({ status, headers }: OpenResponse): string | null {
  if (isRedirect(status)) return REDIRECTED;
  if (status === 401) return "it refuses the secret: another server answers at its address";
  if (status !== 200) return `it answers with HTTP ${status}`;
  return /^text\/event-stream\b/.test(headers["content-type"] ?? "") ? null : "it answers with no stream of events";
}

type Hearing = Pick<Reading, "onPiece"> & { readonly refresh: () => void };

async function readBody({ body }: OpenResponse, { onPiece, refresh }: Hearing): Promise<void> {
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: MOST_CHARACTERS,
    onEvent: ({ data }) => {
      const { data: piece } = Piece.safeParse(parseJson(data));
      if (piece === undefined) throw new NoPieces("it sends what is no output of a step");
      onPiece(piece);
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") throw new NoPieces("it sends an event without an end");
    },
  });
  for await (const chunk of body) {
    refresh();
    parser.feed(decoder.decode(chunk, { stream: true }));
  }
}
