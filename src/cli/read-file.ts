// A file that a command is given, or stdin for `-`: JSON or YAML, read as data.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { parseDocument } from "yaml";
import { structuralIssue } from "../domain/json.ts";
import type { Context } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { failed, type Result, success, usage } from "./failure.ts";

type Place = Pick<Context, "cwd" | "stdin">;

const REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "it is a directory"],
  ["EACCES", "this user may not read it"],
]);

export async function readText({ cwd, stdin }: Place, file: string): Promise<Result<string>> {
  if (file === "-") return success(await text(stdin));
  try {
    return success(await readFile(resolve(cwd, file), "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const detail = `${file} cannot be read: ${REASONS.get(code) ?? code}.`;
    return failed({ exit: EXIT.usage, code: "file_unreadable", detail });
  }
}

/** An object, as JSON or as YAML 1.2 without aliases. */
export async function readDocument(place: Place, file: string): Promise<Result<Readonly<Record<string, unknown>>>> {
  const source = await readText(place, file);
  if (!source.ok) return source;
  const read = valueIn(source.value.replace(/^\ufeff/, ""));
  if (!read.ok) return failed(usage(`${file} ${read.failure.detail}`));
  const issue = structuralIssue(read.value);
  if (issue !== null) return failed(usage(`${file}: ${issue.path} ${issue.message}.`, [issue]));
  return isObject(read.value) ? success(read.value) : failed(usage(`${file} must hold an object with named fields.`));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function valueIn(source: string): Result<unknown> {
  try {
    return success(JSON.parse(source));
  } catch {
    return valueInYaml(source);
  }
}

function valueInYaml(source: string): Result<unknown> {
  const document = parseDocument(source, { schema: "core", uniqueKeys: true });
  const [fault] = document.errors;
  if (fault !== undefined) return failed(usage(`is neither JSON nor YAML: ${fault.message.trimEnd()}`));
  try {
    return success(document.toJS({ maxAliasCount: 0 }));
  } catch {
    return failed(usage("uses an alias (*name); write the value out."));
  }
}

/** A failure about the content of a file names the file. */
export const inFile = <T>(file: string, result: Result<T>): Result<T> =>
  result.ok || result.failure.exit !== EXIT.usage
    ? result
    : failed({ ...result.failure, detail: `${file}: ${result.failure.detail}` });
