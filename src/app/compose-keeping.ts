// The duties on journals that are only kept: each day is anchored (D-372), and old ones are archived (D-373).
import type { Config } from "../config/config.ts";
import { readRootFile, writeRootFile } from "../config/secret-files.ts";
import { type Restore, restoreBetween, rootLines, rootsIn } from "../domain/anchor.ts";
import type { Log } from "../log/log.ts";
import type { KeptRoots } from "../tasks/anchors-in.ts";
import { createAnchors } from "../worker/anchors.ts";
import { type ArchiveParts, composeArchive } from "./compose-archive.ts";
import type { KeepingParts } from "./keeping-parts.ts";

type Settings = Pick<Config, "anchor_file" | "archive_dir" | "keep_days">;

/** Call it before the wakeups start. */
export const composeKeeping = (config: Settings, parts: ArchiveParts) => (): void => {
  composeAnchors(config, parts).shareAnchors();
  composeArchive(config, parts).shareArchive();
};

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
