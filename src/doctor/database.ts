// Whether a server could use the database. One that uses it now has it for itself, which is as good as could be, when it
// is the server that answers.
import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { type DatabaseExamination, examineDatabase } from "../store/examine-database.ts";
import { broken, type Diagnosis, fallsBack, off, works } from "./diagnosis.ts";

/** `server` is what was found of the server at the address that clients use. */
export async function diagnoseDatabase(
  { database_url, data_dir }: Config,
  server: Promise<Diagnosis>,
): Promise<Diagnosis> {
  const found = await examineDatabase(database_url);
  if (found.is === "missing") return diagnoseMissing(found.path, data_dir);
  if (found.is === "unusable") return broken(found.reason, "Look at DATABASE_URL and at the database it names.");
  return found.holder === null ? diagnoseFree(found) : diagnoseHeld(found.name, found.holder, await server);
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
    `${name}, in use by an orch server (${holder}) that does not answer where it is looked for`,
    "Set ORCH_URL to its address, or stop it.",
  );
}

function diagnoseFree({ name, pending, stranger }: Extract<DatabaseExamination, { is: "there" }>): Diagnosis {
  if (stranger !== null) {
    return broken(`${name}, comes from a newer version of orch (${stranger})`, "Run that version.");
  }
  if (pending === null) {
    return fallsBack(`${name}, was not closed by its last server`, "The next start repairs it: orch serve");
  }
  if (pending > 0) return fallsBack(`${name}, lacks ${pending} changes of its tables`, "The next start makes them.");
  return works(`${name}, up to date`);
}
