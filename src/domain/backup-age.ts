// How old a backup may be. Without schemas, because the console reads it too.
const OLD_MS = 7 * 24 * 3_600_000;
/** An older one is worth little to who has to restore it. */
export const isOldBackup = (last_backup_at: string, now_ms: number): boolean =>
  now_ms - Date.parse(last_backup_at) > OLD_MS;
