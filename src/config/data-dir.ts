// The directory for the database, the token and notes on what runs: created at the first start, readable by its owner only.
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { OrchError } from "../domain/errors.ts";

/** Rejects with `config_invalid` when it cannot be created. */
export async function createDataDir(data_dir: string): Promise<void> {
  await createDirectory(data_dir).catch((error: NodeJS.ErrnoException) => {
    const fix = "Set ORCH_DATA_DIR to one that can.";
    throw new OrchError("config_invalid", `The directory ${data_dir} cannot be created (${error.code}).`, {
      fix,
      cause: error,
    });
  });
}

/** With its parents. Node's recursive mkdir never ends below /proc, where nothing can be created. */
async function createDirectory(path: string): Promise<void> {
  const mode = 0o700;
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    await createDirectory(dirname(path));
    await mkdir(path, { mode });
  }
}
