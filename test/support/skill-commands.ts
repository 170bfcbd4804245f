// orch skill new, check and test, as a user calls them in a directory of their own.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryDirectory } from "./orch-process.ts";

const PROGRAM = join(import.meta.dirname, "../../src/orch.ts");
type Ended = { readonly exit: number | string | null | undefined; readonly out: string; readonly err: string };

export async function openSkillCommands() {
  const directory = await temporaryDirectory();
  const orch = (...args: string[]) =>
    new Promise<Ended>((resolve) =>
      execFile(process.execPath, [PROGRAM, "skill", ...args], { cwd: directory.path }, (error, out, err) =>
        resolve({ exit: error === null ? 0 : error.code, out, err }),
      ),
    );
  /** A new skill, with changes to its files. */
  const changed = async (name: string, changes: Readonly<Record<string, (text: string) => string>>) => {
    await orch("new", name);
    for (const [file, change] of Object.entries(changes)) {
      const path = join(directory.path, name, file);
      const text = await readFile(path, "utf8").catch(() => "");
      expect(change(text)).not.toBe(text);
      await writeFile(path, change(text));
    }
  };
  return { path: directory.path, orch, changed, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}
