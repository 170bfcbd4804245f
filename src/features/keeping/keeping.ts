// The duties on journals that are only kept: each day is anchored (D-372), and old ones are archived (D-373).

import { type FileHandle, open, readFile } from "node:fs/promises";
import { setImmediate as turn } from "node:timers/promises";
import { bundleOf } from "../../api/operations/evidence.ts";
import type { HandlersOf } from "../../api/operations/operation.ts";
import type { Config } from "../../config/config.ts";
import {
  dayToAnchor,
  type Growth,
  type Restore,
  restoreBetween,
  rootLines,
  rootOf,
  rootsIn,
} from "../../domain/anchor.ts";
import type { ArchiveFile } from "../../domain/task.ts";
import { ANCHOR_THREAD } from "../../domain/thread-id.ts";
import { verifyBundle } from "../../engine/evidence/verify/bundle.ts";
import { type KeptRoots, keptRoots } from "../../engine/tasks/anchors-in.ts";
import type { Log } from "../../log/log.ts";
import type { Clock, Store } from "../../ports.ts";
import { createArchiveFiles, ensureThere } from "../../store/archive-file.ts";
import type { Wakeups } from "../../wakeups/port.ts";
import type { FeatureWork, RunningServer } from "../feature.ts";
import { createArchiver } from "./archiver.ts";
import type { KEEPING_SHAPES } from "./shapes.ts";

export const startKeeping = (server: RunningServer): FeatureWork => ({
  share: () => {
    composeAnchors(server.config, server).shareAnchors();
    composeArchive(server.config, server).shareArchive();
  },
});

// Anchors every day (D-372), and adds the roots to the file of the operator.

const EVERY_MS = 10 * 60_000;

function composeAnchors({ anchor_file }: Pick<Config, "anchor_file">, parts: KeepingParts) {
  const { store, clock, log, wakeups } = parts;
  const handOn = anchor_file === null ? undefined : handingOn(anchor_file, log);
  const anchors = createAnchors({ store, clock, log, ...(handOn !== undefined && { handOn }) });
  return { shareAnchors: () => void wakeups.every("anchors", EVERY_MS, anchors.look) };
}

type ErrorLog = Pick<Log, "error">;
type DayRoots = Pick<KeptRoots, "restores"> & {
  readonly anchors: readonly Pick<KeptRoots["anchors"][number], "day" | "root">[];
};

/** Adds what is missing. A line that says otherwise is what the file is for: it stays, and the log says so. */
export const handingOn =
  (file: string, log: ErrorLog) =>
  async ({ anchors, restores }: DayRoots): Promise<void> => {
    const noted = rootsIn(await readRootFile(file));
    if (noted === null)
      return log.error(
        { file },
        "ORCH_ANCHOR_FILE has a line that is no root of a day, or two roots of one day; nothing is added to it",
      );
    for (const { day, root } of anchors) {
      const line = noted.roots.get(day);
      if (line === undefined || line.root === root) continue;
      reportOther({ file, day }, restoreBetween(noted, { day, restores }), log);
    }
    const missing = rootLines(
      anchors.filter(({ day }) => !noted.roots.has(day)),
      restores.filter(({ restored_at }) => noted.restores.every((one) => one.restored_at !== restored_at)),
    );
    if (missing.length > 0) await writeRootFile(file, missing.map((line) => `${line}\n`).join(""));
  };

function reportOther(about: { readonly file: string; readonly day: string }, between: Restore | null, log: ErrorLog) {
  const reason = between === null ? "" : "another server has anchored that day, as may be after a restore, or ";
  log.error(
    { ...about, ...(between !== null && { restored_at: between.restored_at }) },
    `the root of a day is not the one in ORCH_ANCHOR_FILE: ${reason}a journal, or that file, was changed`,
  );
}

// Moves old journals to the archive of the operator, where one is set (D-373).

const ARCHIVE_EVERY_MS = 60 * 60_000;

type ArchiveParts = KeepingParts & { readonly shrink: RunningServer["shrink"] };

export function composeArchive(
  { archive_dir, keep_days }: Pick<Config, "archive_dir" | "keep_days">,
  parts: ArchiveParts,
) {
  const { store, clock, log, wakeups, shrink } = parts;
  if (archive_dir === null || keep_days === 0) return { shareArchive: () => undefined };
  const { append } = createArchiveFiles(archive_dir);
  const verifiedBundle = async (task_id: string) => {
    const bundle = await bundleOf({ store }, task_id);
    // As who reads it has it.
    return { bundle, faults: verifyBundle(JSON.parse(JSON.stringify(bundle))).faults };
  };
  const isThere = (files: readonly ArchiveFile[]) => ensureThere(archive_dir, files);
  const archiver = createArchiver({ store, clock, keep_days, verifiedBundle, ensureThere: isThere, append, log });
  const look = async (signal: AbortSignal) => {
    await archiver.look(signal);
    // Also what a run before this one has left, which was cut off.
    const bytes = await shrink(signal);
    if (bytes > 0) log.info({ bytes }, "the file of the database gets shorter by what was archived");
  };
  return { shareArchive: () => void wakeups.every("archive", ARCHIVE_EVERY_MS, look) };
}

// What the duties on kept journals are made of.

type KeepingParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  readonly wakeups: Pick<Wakeups, "every">;
};

// Answers list_anchors.

export const KEEPING_HANDLERS: HandlersOf<typeof KEEPING_SHAPES> = {
  list_anchors:
    ({ store }) =>
    async () => {
      const { anchors, restores } = await keptRoots(store);
      return { anchors: [...anchors], restores: [...restores] };
    },
};

// Once a day: the last hash of every journal that has grown becomes a part of one root, which is recorded and handed on (D-372). How far it
// has read is committed with it, so that of several servers one anchors a day.

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

const readRootFile = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });

async function writeRootFile(file: string, lines: string): Promise<void> {
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
