// What the steps of a task write on another server, for those who watch it here (D-395). While somebody watches a task, its owner is looked
// for once a second, and read from over one connection, however many watch. Without a way to it the journal is all there is to see.
import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import { z } from "zod";
import { parseJson } from "../../domain/json-values.ts";
import {
  createWatchedTails,
  type Filling,
  type FindOutputRoute,
  type LiveOutput,
  LivePiece,
  type LiveTails,
  OUTPUT_PATH,
  type OutputRoute,
} from "../../domain/live-output.ts";
import { HttpFaultError, isRedirect, type OpenResponse, openRequest, REDIRECTED } from "../../http-client/request.ts";

type Deps = {
  readonly routeOf: FindOutputRoute;
  /** Called for the first fault of a server, and for the next one after it has worked. */
  readonly onFault: (fault: { readonly server: string; readonly reason: string }) => void;
  readonly timing?: { readonly look_ms: number; readonly longest_ms: number };
};

const TIMING = { look_ms: 1_000, longest_ms: 30_000 };
/** Of a task. More than one step at once is rare, and those that have ended are not known here. */
const MOST_STEPS = 4;

export function createPeerOutput(deps: Deps): LiveOutput {
  const faults = createFaults(deps.onFault);
  return createWatchedTails((task_id, filling) => {
    const closing = new AbortController();
    void follow({ ...deps, faults }, { task_id, signal: closing.signal }, filling);
    return () => closing.abort();
  }, MOST_STEPS);
}

type Following = Deps & { readonly faults: ReturnType<typeof createFaults> };

/** Until no one watches. A server that cannot be read from is tried again at growing distances; another one at once. */
async function follow(
  deps: Following,
  { task_id, signal }: { readonly task_id: string; readonly signal: AbortSignal },
  { tails, wake }: Filling,
): Promise<void> {
  const { look_ms, longest_ms } = deps.timing ?? TIMING;
  let failed = NEVER;
  while (!signal.aborted) {
    const route = await routeOrNull(deps, task_id);
    if (route !== null && (route.server_id !== failed.server_id || performance.now() >= failed.again_at)) {
      let has_worked = route.server_id !== failed.server_id;
      const onOpen = () => {
        has_worked = true;
        deps.faults.works(route);
      };
      const end = await readWhileThere(deps, { route, task_id, signal, onOpen, onPiece: receiver(tails, route, wake) });
      if (end !== null) deps.faults.note(route, end.fault);
      const wait_ms = has_worked ? look_ms : Math.min(failed.wait_ms * 2, longest_ms);
      failed = end === null ? NEVER : { server_id: route.server_id, wait_ms, again_at: performance.now() + wait_ms };
    }
    await sleep(look_ms, undefined, { signal }).catch(() => undefined);
  }
}

const NEVER = { server_id: "", wait_ms: 0, again_at: 0 };

/** A look that fails says nothing of the owner: the next one may. */
const routeOrNull = ({ routeOf }: Deps, task_id: string): Promise<OutputRoute | null> =>
  routeOf(task_id).catch(() => null);

type There = Reading & { readonly route: OutputRoute };

/** A server that is frozen or cut off keeps its connections: that its task has gone is known by the database. */
async function readWhileThere(deps: Deps, { route, ...reading }: There) {
  const gone = new AbortController();
  const { look_ms } = deps.timing ?? TIMING;
  const look = setInterval(() => {
    void deps.routeOf(reading.task_id).then(
      (now) => now?.server_id === route.server_id || gone.abort(),
      () => undefined,
    );
  }, look_ms);
  try {
    return await readPieces(route, { ...reading, signal: AbortSignal.any([reading.signal, gone.signal]) });
  } finally {
    clearInterval(look);
  }
}

/** Each connection begins anew with the last part of the output: what is known of it is left out. */
function receiver(tails: LiveTails, { server_id }: OutputRoute, wake: () => void): (piece: LivePiece) => void {
  const positions = new Map<string, number>();
  return (piece) => {
    const key = `${server_id} ${piece.index} ${piece.attempt}`;
    const from = (positions.get(key) ?? 0) + piece.missed_bytes;
    const bytes = Buffer.from(piece.text);
    // Set anew, because a Map keeps the order of insertion.
    positions.delete(key);
    const [oldest] = positions.size >= MOST_STEPS ? positions.keys() : [];
    if (oldest !== undefined) positions.delete(oldest);
    positions.set(key, from + bytes.length);
    const known = tails.lengthOf(key);
    if (from + bytes.length <= known) return;
    const missed_bytes = Math.max(0, from - known);
    const text = from >= known ? piece.text : bytes.subarray(known - from).toString("utf8");
    tails.append(key, { ...piece, missed_bytes, text });
    wake();
  };
}

/** One line for each server that cannot be read from, however many tasks and tries. */
function createFaults(onFault: Deps["onFault"]) {
  const noted = new Set<string>();
  return {
    works: ({ name }: OutputRoute): void => void noted.delete(name),
    note: ({ name }: OutputRoute, reason: string): void => {
      if (noted.has(name)) return;
      noted.add(name);
      onFault({ server: name, reason });
    },
  };
}

// Reads what the steps of a task write on another server, from that server. It is believed no more than any other peer: what comes is
// parsed and bounded, and no redirect is followed, which would carry the secret away.

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
type PiecesEnd = { readonly fault: string } | null;

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
      method: "GET",
      url: url + OUTPUT_PATH.replace("{task_id}", encodeURIComponent(task_id)),
      headers: { authorization: `Bearer ${secret}`, accept: "text/event-stream" },
      signal: AbortSignal.any([signal, silent.signal]),
      max_bytes: Number.MAX_SAFE_INTEGER,
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

/** A task that goes to another server is read on. */
const withPeers = (here: LiveOutput, elsewhere: LiveOutput): LiveOutput => ({
  watch: (task_id, onMore) => {
    const readers = [here, elsewhere].map(({ watch }) => watch(task_id, onMore));
    return {
      read: () => readers.flatMap(({ read }) => read()),
      close: () => {
        for (const { close } of readers) close();
      },
    };
  },
});

type Everywhere = {
  /** Whether other servers share the database. */
  readonly are_many: boolean;
  readonly routeOf: FindOutputRoute;
  readonly log: { warn(details: object, message: string): void };
};

/** What steps write: here, and with several servers also on the one that runs the task (D-395). */
export function outputEverywhere(here: LiveOutput, { are_many, routeOf, log }: Everywhere): LiveOutput {
  if (!are_many) return here;
  const onFault: Deps["onFault"] = (fault) =>
    log.warn(
      { code: "live_output_unreachable", ...fault },
      "what steps write on another server cannot be read: only their journals are shown",
    );
  return withPeers(here, createPeerOutput({ routeOf, onFault }));
}
