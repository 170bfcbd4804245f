// What the steps of a task write on another server, for those who watch it here (D-395). While somebody watches a task, its owner is looked
// for once a second, and read from over one connection, however many watch. Without a way to it the journal is all there is to see.
import { setTimeout as sleep } from "node:timers/promises";
import type { FindOutputRoute, LiveOutput, LivePiece, OutputRoute } from "../domain/live-output.ts";
import { createWatchedTails, type Filling, type LiveTails } from "../domain/live-tail.ts";
import { readPieces } from "./read-pieces.ts";

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

type There = Parameters<typeof readPieces>[1] & { readonly route: OutputRoute };

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
