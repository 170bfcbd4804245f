// An engine that is backed up while it works, and the engine of a place into which that backup was restored.
import { join } from "node:path";
import { readConfig } from "../../src/config/config.ts";
import { makeBackup } from "../../src/features/keeping/backup/make-backup.ts";
import { restoreBackup } from "../../src/features/keeping/backup/restore-backup.ts";

const clock = () => new Date();

type Place = { readonly directory: string; readonly env?: Readonly<Record<string, string>> };

export const configOf = ({ directory, env = {} }: Place) =>
  readConfig({ ORCH_DATA_DIR: directory, HOME: directory, ...env });

export const backUp = (from: Place, file: string, with_tokens = false) =>
  makeBackup(configOf(from), { file, with_tokens }, { version: "1.2.3", clock });

export const restoreTo = (to: Place, file: string, sample?: number) =>
  restoreBackup(configOf(to), { file, sample }, clock);

export const placeIn = (folder: string, name: string): Place => ({ directory: join(folder, name) });
