// Asks the running server how old the last backup of its database is.
import type { Env } from "../config/config.ts";
import { findConnection } from "../config/connection.ts";
import { isOldBackup } from "../domain/backup-age.ts";
import { listServers } from "../features/servers/shapes.ts";
import { broken, type Diagnosis, fallsBack, off, works } from "./examination.ts";
import { getJson } from "./get-json.ts";

const HOUR_MS = 3_600_000;
const FIX = "Back it up, and have it done every night: orch backup FILE";

export async function examineBackup(environment: Env, server: Promise<Diagnosis>): Promise<Diagnosis> {
  const { state } = await server;
  if (state !== "works" && state !== "falls_back") return off("not looked at: no server of orch answers");
  const { url, token } = await findConnection(environment);
  const answer = await getJson(`${url}${listServers.path}`, { authorization: `Bearer ${token.value ?? ""}` });
  const read = "fault" in answer ? null : listServers.output.safeParse(answer.body);
  if (read?.success !== true) return broken("the server does not say when it was backed up", "Read its log.");
  return diagnosed(read.data.last_backup_at, Date.now());
}

export function diagnosed(last_backup_at: string | null, now: number): Diagnosis {
  if (last_backup_at === null) return fallsBack("the database was never backed up by orch", FIX);
  const hours = Math.max(0, Math.floor((now - Date.parse(last_backup_at)) / HOUR_MS));
  const found = `the last backup was made ${ageOf(hours)} ago (${last_backup_at})`;
  return isOldBackup(last_backup_at, now) ? fallsBack(found, FIX) : works(found);
}

const ageOf = (hours: number): string => (hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`);
