// Adds lines to the file of daily roots (ORCH_ANCHOR_FILE); none is ever changed.
import { type FileHandle, open, readFile } from "node:fs/promises";

export const readRootFile = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });

export async function writeRootFile(file: string, lines: string): Promise<void> {
  const handle = await open(file, "a+", 0o644);
  try {
    await handle.writeFile((await endsInLine(handle)) ? `\n${lines}` : lines);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** As an editor may leave it, or a disk that was full: what is added would become a part of the last line. */
async function endsInLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer.toString("latin1") !== "\n";
}
