// The duties on journals that are only kept: each day is anchored (D-372), and old ones are archived (D-373).

import { bundleOf } from "../../api/operations/evidence.ts";
import type { HandlersOf } from "../../api/operations/operation.ts";
import type { Config } from "../../config/config.ts";
import { type Restore, restoreBetween, rootLines, rootsIn } from "../../domain/anchor.ts";
import type { ArchiveFile } from "../../domain/task.ts";
import { verifyBundle } from "../../engine/evidence/verify/bundle.ts";
import { type KeptRoots, keptRoots } from "../../engine/tasks/anchors-in.ts";
import type { Log } from "../../log/log.ts";
import type { Clock, Store } from "../../ports.ts";
import { createArchiveFiles, ensureThere } from "../../store/archive-file.ts";
import type { Wakeups } from "../../wakeups/port.ts";
import type { FeatureWork, RunningServer } from "../feature.ts";
import { createAnchors, readRootFile, writeRootFile } from "./anchors.ts";
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
