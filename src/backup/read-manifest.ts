// Reads what a backup says of itself, and refuses what this version cannot restore.
import { open } from "node:fs/promises";
import { BACKUP_FORMAT, BackupManifest } from "../domain/backup.ts";
import { OrchError } from "../domain/errors.ts";
import { JOURNAL_LEVEL } from "../domain/journal-level.ts";
import { parseJson } from "../domain/json-values.ts";
import { damaged, MANIFEST_BYTES } from "./backup-file.ts";

const SIGN = '{"orch_backup":';

export async function readManifest(path: string): Promise<BackupManifest> {
  const head = await readHead(path);
  if (!head.startsWith(SIGN))
    throw new OrchError("input_invalid", `${path} is not a backup of orch`, {
      fix: "name a file of: orch backup FILE",
    });
  const found = parseJson(head.trim());
  const format = Number(Object(found).orch_backup);
  if (format > BACKUP_FORMAT)
    throw newer(path, `its format is ${format}, and this version reads ${BACKUP_FORMAT}`, found);
  const { data } = BackupManifest.safeParse(found);
  if (data === undefined) throw damaged(path, "its manifest cannot be read");
  if (data.journal_level > JOURNAL_LEVEL)
    throw newer(path, `its journals need level ${data.journal_level}, and this version reads ${JOURNAL_LEVEL}`, found);
  return data;
}

const newer = (path: string, why: string, found: unknown): OrchError =>
  new OrchError("input_invalid", `the backup ${path} is of a newer version of orch: ${why}`, {
    fix: `restore it with version ${String(Object(found).orch)} or a later one`,
  });

async function readHead(path: string): Promise<string> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    throw new OrchError("input_invalid", `${path} cannot be read (${error.code})`, { cause: error });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MANIFEST_BYTES), 0, MANIFEST_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
