// A file that a command was told to write. One that is there already is kept unless its loss was asked for.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Context } from "./context.ts";
import { failed, type Result, success, usage } from "./failure.ts";

type How = { readonly force: boolean; readonly mode?: number };

export async function writeText(
  { cwd }: Pick<Context, "cwd">,
  file: string,
  text: string,
  { force, mode = 0o666 }: How,
): Promise<Result<null>> {
  try {
    await writeFile(resolve(cwd, file), text, { mode, flag: force ? "w" : "wx" });
    return success(null);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "it is there already; --force overwrites it" : `(${code})`;
    return failed(usage(`${file} cannot be written: ${why}.`));
  }
}
