// Writes the file that a command line names. An existing file is overwritten only with --force.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { CommandContext } from "./context.ts";
import { failed, usage } from "./failure.ts";

type WriteOptions = { readonly force: boolean; readonly mode?: number };

export async function writeText(
  { cwd }: Pick<CommandContext, "cwd">,
  file: string,
  text: string,
  { force, mode = 0o666 }: WriteOptions,
): Promise<void> {
  try {
    await writeFile(resolve(cwd, file), text, { mode, flag: force ? "w" : "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "EEXIST" ? "it is there already; --force overwrites it" : `(${code})`;
    failed(usage(`${file} cannot be written: ${reason}.`));
  }
}
