// Why a module of a skill cannot be loaded, with the file and the line: node has both in the stack of the error only.
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import metadata from "../../package.json" with { type: "json" };
import { wordsOf } from "../domain/errors.ts";
import { CODE, ROOT } from "../own-file.ts";
import type { SkillFault } from "./orders.ts";

type Place = Pick<SkillFault, "file" | "line">;

/** The head of the stack of an error of syntax, or a frame of one that was thrown. */
const PLACES =
  /^(?:file:\/\/)?(\/.+?):(\d+)$|\((?:file:\/\/)?(\/.+?):(\d+):\d+\)$|at (?:async )?(?:file:\/\/)?(\/.+?):(\d+):\d+$/gm;
const NOT_FOUND = /^Cannot find (package|module) '([^']+)' imported from (.+)$/;
const ONLY_STRIPPED = "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX";
const NOT_EXPORTED = /^Package subpath '\.\/([^']+)' is not defined by "exports" in .+ imported from (.+)$/;

export async function loadFault(handler: string, error: unknown): Promise<SkillFault> {
  const words = wordsOf(error);
  const [, part, from] = NOT_EXPORTED.exec(words) ?? [];
  if (part !== undefined && from !== undefined) return notExported(part, from, handler);
  const [, what, name = "", importer] = NOT_FOUND.exec(words) ?? [];
  const isStripped = error instanceof Error && "code" in error && error.code === ONLY_STRIPPED;
  const remedy =
    what === "package"
      ? `; install it beside the handler: npm install ${packageOf(name)} --prefix ${dirname(handler)}`
      : isStripped
        ? "; node removes types and translates nothing, so write this in JavaScript"
        : "";
  const place: Place =
    importer === undefined
      ? (placeIn(error) ?? { file: handler, line: null })
      : { file: importer, line: await lineOf(importer, quoting(basename(name))) };
  return { ...place, why: `cannot be loaded: ${words}${remedy}` };
}

/** What a skill imports of orch is asked for in the name of a module of orch, and any other package in that of its own. */
async function notExported(part: string, from: string, handler: string): Promise<SkillFault> {
  const is_of_orch = from.startsWith(join(ROOT, "src/"));
  const file = is_of_orch ? handler : from;
  const exported = Object.keys(metadata.exports).filter((name) => !name.endsWith(".json"));
  const names = exported.map((name) => `orch/${name.slice("./".length)}`);
  const remedy = is_of_orch ? `; orch has for skills: ${names.join(", ")}` : "";
  const why = `cannot be loaded: its package does not export ${part}${remedy}`;
  return { file, line: await lineOf(file, quoting(part)), why };
}

/** The line that declares what a fault in the shape of a module is about. */
export const lineOfExport = (file: string, [name = ""]: readonly PropertyKey[]): Promise<number | null> =>
  lineOf(file, new RegExp(`^\\s*export\\b.*\\b${String(name)}\\b`));

async function lineOf(file: string, text: RegExp): Promise<number | null> {
  const lines = (await readFile(file, "utf8").catch(() => "")).split("\n");
  const at = lines.findIndex((line) => text.test(line));
  return at === -1 ? null : at + 1;
}

const quoting = (text: string): RegExp => new RegExp(`["'/]${text.replaceAll(/[^\w-]/g, "\\$&")}["'/]`);

const OF_ORCH = [join(ROOT, "src/"), join(ROOT, "node_modules/"), ...CODE.slice(1).map((beside) => join(beside, "/"))];

/** Where code that is not of orch has thrown. */
export function placeIn(error: unknown): Place | null {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  for (const [, ...parts] of stack.matchAll(PLACES)) {
    const [path = "", line] = parts.filter((part) => part !== undefined);
    const file = decodeURI(path);
    if (!OF_ORCH.some((directory) => file.startsWith(directory))) return { file, line: Number(line) };
  }
  return null;
}

/** Of `name/part` or `@scope/name/part`. */
const packageOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
