// Checks whether a server can use the database. A database that is locked works if the server that answers holds it.
import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { counted } from "../domain/printable.ts";
import { type DatabaseExamination, examineDatabase } from "../store/examine-database.ts";
import { broken, type Diagnosis, fallsBack, off, works } from "./examination.ts";

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
