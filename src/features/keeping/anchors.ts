// Once a day: the last hash of every journal that has grown becomes a part of one root, which is recorded and handed on (D-372). How far it
// has read is committed with it, so that of several servers one anchors a day.
import { type FileHandle, open, readFile } from "node:fs/promises";
import { setImmediate as turn } from "node:timers/promises";
import { dayToAnchor, type Growth, rootOf } from "../../domain/anchor.ts";
import { ANCHOR_THREAD } from "../../domain/thread-id.ts";
import { type KeptRoots, keptRoots } from "../../engine/tasks/anchors-in.ts";
import type { Clock, Store } from "../../ports.ts";

type Deps = {
  readonly store: Pick<Store, "readGrowth" | "findDuty" | "readJournal" | "commit">;
  readonly clock: Clock;
  /** Takes all roots there are to where the operator wants them. */
  readonly handOn?: (kept: KeptRoots) => Promise<void>;
  readonly log: { warn(details: object, message: string): void };
};

const ANCHOR_DUTY = "anchor";
/** Longer than a commit may take: what was written before midnight can be read by then, on every server. */
const SETTLED_MS = 5 * 60_000;
const SLICE = 2_000;

export const createAnchors = ({ store, clock, log, handOn = async () => undefined }: Deps) => ({
  /** Anchors the day that has ended last, where that is still to be done. */
  async look(signal?: AbortSignal): Promise<void> {
    const now = clock();
    const { day, before } = dayToAnchor(now, SETTLED_MS);
    const kept = await keptRoots(store);
    const last = kept.anchors.at(-1);
    const restored_at = kept.restores.at(-1)?.restored_at;
    if (last !== undefined && last.day >= day) return handOn(kept);
    // Days before a restore may have been anchored already, over what the backup does not have.
    if (restored_at !== undefined && day < restored_at.slice(0, 10)) return handOn(kept);
    const from = await store.findDuty(ANCHOR_DUTY);
    const ahead = new Date(now.getTime() + SETTLED_MS).toISOString();
    const grown = await growthOf(store, { from, before, ahead, signal });
    if (grown === null || grown.ends.length === 0) return handOn(kept);
    if (grown.from_ahead > 0)
      log.warn(
        { day, events: grown.from_ahead },
        "events are anchored whose time is later than now: a clock was wrong",
      );
    const { ends: leaves, up_to: cursor } = grown;
    const anchored = { day, threads: leaves.length, root: rootOf(leaves), previous: last?.root ?? null };
    await store.commit({
      thread_id: ANCHOR_THREAD,
      after: "last",
      events: [{ kind: "anchored", body: anchored }],
      changes: [
        { on: "duty_done", name: ANCHOR_DUTY, cursor, expect: from },
        { on: "anchor_leaves", day, leaves },
      ],
    });
    await handOn(await keptRoots(store));
  },
});

type Range = {
  readonly from: number;
  readonly before: string;
  readonly ahead: string;
  readonly signal: AbortSignal | undefined;
};

/** Slice by slice, up to the first event of a later day; null when this server is to stop. An event from after `ahead` is of a wrong clock, and says nothing of the day. */
async function growthOf(store: Pick<Store, "readGrowth">, { from, before, ahead, signal }: Range) {
  const ends = new Map<string, Growth>();
  let [up_to, from_ahead] = [from, 0];
  for (;;) {
    const slice = await store.readGrowth(up_to, SLICE);
    const later = slice.findIndex(({ at }) => at >= before && at <= ahead);
    for (const event of later === -1 ? slice : slice.slice(0, later)) {
      up_to = event.cursor;
      if (event.at > ahead) from_ahead += 1;
      if (event.thread_id !== ANCHOR_THREAD) ends.set(event.thread_id, event);
    }
    if (later !== -1 || slice.length < SLICE) return { ends: [...ends.values()], up_to, from_ahead };
    if (signal?.aborted === true) return null;
    await turn();
  }
}

export const readRootFile = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });

export async function writeRootFile(file: string, lines: string): Promise<void> {
  const handle = await open(file, "a+", 0o644);
  try {
    await handle.writeFile((await endsInLine(handle)) ? `\n${lines}` : lines);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** As an editor may leave it, or a disk that was full: what is added would become a part of the last line. */
async function endsInLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer.toString("latin1") !== "\n";
}
