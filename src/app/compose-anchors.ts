// Anchors every day (D-372), and adds the roots to the file of the operator.
import type { Config } from "../config/config.ts";
import { readRootFile, writeRootFile } from "../config/root-file.ts";
import { rootsIn } from "../domain/anchor.ts";
import type { Log } from "../log/log.ts";
import type { Clock, Store } from "../ports.ts";
import type { Wakeups } from "../wakeups/port.ts";
import { createAnchors } from "../worker/anchors.ts";

const EVERY_MS = 10 * 60_000;

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  readonly wakeups: Pick<Wakeups, "every">;
};

export function composeAnchors({ anchor_file }: Pick<Config, "anchor_file">, { store, clock, log, wakeups }: Parts) {
  const handOn = anchor_file === null ? undefined : handingOn(anchor_file, log);
  const anchors = createAnchors({ store, clock, log, ...(handOn !== undefined && { handOn }) });
  return { shareAnchors: () => void wakeups.every("anchors", EVERY_MS, anchors.look) };
}

type Root = { readonly day: string; readonly root: string };

/** Adds what is missing. A line that says otherwise is what the file is for: it stays, and the log says so. */
export const handingOn =
  (file: string, log: Pick<Log, "error">) =>
  async (anchors: readonly Root[], restored_at: string | null = null): Promise<void> => {
    const text = await readRootFile(file);
    const noted = rootsIn(text);
    if (noted === null)
      return log.error(
        { file },
        "ORCH_ANCHOR_FILE has a line that is no root of a day, or two roots of one day; nothing is added to it",
      );
    const missing = anchors.filter(({ day }) => !noted.has(day));
    for (const { day, root } of anchors)
      if (noted.has(day) && noted.get(day) !== root)
        log.error(
          { file, day, ...(restored_at !== null && { restored_at }) },
          restored_at === null
            ? "the root of a day is not the one in ORCH_ANCHOR_FILE: a journal, or that file, was changed"
            : "the root of a day is not the one in ORCH_ANCHOR_FILE: another server has anchored that day, as may be after a restore, or a journal, or that file, was changed",
        );
    if (missing.length > 0) await writeRootFile(file, missing.map(({ day, root }) => `${day} ${root}\n`).join(""));
  };
