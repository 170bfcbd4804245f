// The files of a new skill: a handler that works, what tries it, and what an editor needs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importPaths, TYPE_OPTIONS, typeRoots } from "./compiler-check.ts";

/** Text by name. `directory` is where they go. */
export function newSkill(name: string, directory: string): Readonly<Record<string, string>> {
  const intent = intentOf(name);
  const text = (file: string): string =>
    readFileSync(join(import.meta.dirname, file), "utf8")
      .replaceAll("{intent}", intent)
      .replaceAll("{INTENT}", intent.toUpperCase())
      .replaceAll("{name}", name);
  return {
    "handler.ts": text("new-handler.txt"),
    "test.ts": text("new-test.txt"),
    "README.md": text("new-readme.txt"),
    "package.json": json({ name, private: true, type: "module" }),
    "tsconfig.json": json({
      compilerOptions: { ...TYPE_OPTIONS, typeRoots: typeRoots(directory), paths: importPaths() },
      exclude: ["node_modules"],
    }),
  };
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

// The names that a skill may have: that of its directory, which is in the names of its tools.

const NAME = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;
const MAX_NAME = 32;

/** What is wrong with the name, as the rest of a sentence; null when nothing is. */
export const nameFault = (name: string): string | null =>
  NAME.test(name) && name.length <= MAX_NAME
    ? null
    : `${JSON.stringify(name)} is no name for a skill: use lower case letters, digits, and - or _ between them, at most ${MAX_NAME}`;

/** The first intent of a new skill. */
export const intentOf = (name: string): string => name.replaceAll("-", "_");
