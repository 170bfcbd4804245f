// Moves old journals to the archive of the operator, where one is set (D-373).
import type { Config } from "../config/config.ts";
import type { ArchiveFile } from "../domain/archived.ts";
import { verifyBundle } from "../evidence/verify/bundle.ts";
import { bundleOf } from "../operations/evidence.ts";
import { createArchiveFiles, ensureThere } from "../store/archived.ts";
import type { createShrink } from "../store/shrink.ts";
import { createArchiver } from "../worker/archiver.ts";
import type { KeepingParts } from "./keeping-parts.ts";

const EVERY_MS = 60 * 60_000;

export type ArchiveParts = KeepingParts & { readonly shrink: ReturnType<typeof createShrink> };

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
  return { shareArchive: () => void wakeups.every("archive", EVERY_MS, look) };
}
