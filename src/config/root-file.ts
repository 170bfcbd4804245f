// The file of daily roots (ORCH_ANCHOR_FILE): lines are added, and none is ever changed.
import { open, readFile } from "node:fs/promises";

export const readRootFile = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });

export async function writeRootFile(file: string, lines: string): Promise<void> {
  const handle = await open(file, "a", 0o644);
  try {
    await handle.writeFile(lines);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
