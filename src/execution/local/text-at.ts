// Reads a short script, for judging it. A device, a pipe or a long file is no script.
import { constants } from "node:fs";
import { open } from "node:fs/promises";

const MAX_TEXT = 64 * 1024;

export async function textAt(path: string): Promise<string | null> {
  try {
    // A pipe without a writer would keep an opening without O_NONBLOCK waiting.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const found = await file.stat();
      const text = found.isFile() && found.size <= MAX_TEXT ? await file.readFile("utf8") : null;
      return text === null || text.length > MAX_TEXT || text.includes("\0") ? null : text;
    } finally {
      await file.close();
    }
  } catch {
    // Then the step cannot read it either.
    return null;
  }
}
