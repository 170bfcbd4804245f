// Checks whether a server can use the database. A database that is locked works if the server that answers holds it.
import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config, Env } from "../config/config.ts";
import { findConnection } from "../config/connection.ts";
import { isOldBackup } from "../domain/backup-age.ts";
import { counted } from "../domain/printable.ts";
import { listServers } from "../features/servers/shapes.ts";
import { type DatabaseExamination, examineDatabase } from "../store/examine-database.ts";
import { broken, type Diagnosis, fallsBack, getJson, off, works } from "./examination.ts";

/** `server` is the diagnosis of the server at the address that clients use. */
export async function diagnoseDatabase(
  { database_url, data_dir }: Config,
  server: Promise<Diagnosis>,
): Promise<Diagnosis> {
  const examination = await examineDatabase(database_url);
  if (examination.is === "missing") return diagnoseMissing(examination.path, data_dir);
  if (examination.is === "unusable")
    return broken(examination.reason, "Check DATABASE_URL and the database that it names.");
  return examination.holder === null
    ? diagnoseFree(examination)
    : diagnoseHeld(examination.name, examination.holder, await server);
}

async function diagnoseMissing(path: string, data_dir: string): Promise<Diagnosis> {
  const folder = dirname(resolve(path));
  const canBeMade = folder === data_dir || (await stat(folder).catch(() => null))?.isDirectory() === true;
  if (!canBeMade) return broken(`there is no folder ${folder}`, "Create it, or correct DATABASE_URL.");
  return off(`${path} is not there yet`, "The first start creates it: orch serve");
}

function diagnoseHeld(name: string, holder: string, { state }: Diagnosis): Diagnosis {
  if (state === "works" || state === "falls_back") return works(`${name}, in use by the running server (${holder})`);
  return broken(
    `${name}, in use by an orch server (${holder}) that does not answer at the configured address`,
    "Set ORCH_URL to its address, or stop it.",
  );
}

function diagnoseFree({ name, pending, refusal }: Extract<DatabaseExamination, { is: "there" }>): Diagnosis {
  if (refusal !== null) return broken(`${name}: ${refusal.message}`, `The next start is refused: ${refusal.fix}`);
  if (pending === null) {
    return fallsBack(`${name}, was not closed by its last server`, "The next start repairs it: orch serve");
  }
  if (pending > 0)
    return fallsBack(
      `${name}, needs ${counted(pending, "migration")}`,
      "The next start runs them; they are shown by: orch migrate --dry-run",
    );
  return works(`${name}, up to date`);
}

// Asks the running server how old the last backup of its database is.

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
