// Reads the files of a command line, or stdin for `-`, as JSON or YAML, and writes those that a command makes.
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { parseDocument } from "yaml";
import type { FieldIssue } from "../domain/errors.ts";
import { MAX_DEPTH, structuralIssue } from "../domain/json.ts";
import { jsonTextIssue } from "../domain/json-values.ts";
import { printable, printableLines } from "../domain/printable.ts";
import { yamlNumberIssue } from "../schema/sop-file.ts";
import type { CommandContext } from "./context.ts";
import { EXIT, type ExitCode, failed, tried, usage } from "./failure.ts";

// Reads a file argument, or stdin for `-`, as JSON or YAML.

type FileContext = Pick<CommandContext, "cwd" | "stdin">;

const REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "it is a directory"],
  ["EACCES", "this user may not read it"],
]);

export async function readText({ cwd, stdin }: FileContext, file: string): Promise<string> {
  if (file === "-") return await textOf(stdin);
  try {
    return await readFile(resolve(cwd, file), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const detail = `${file} cannot be read: ${REASONS.get(code) ?? code}.`;
    return failed({ exit: EXIT.usage, code: "file_unreadable", detail });
  }
}

/** Reads an object from JSON, or from YAML 1.2 without aliases. */
export async function readDocument(
  context: FileContext,
  file: string,
  max_depth = MAX_DEPTH,
): Promise<Readonly<Record<string, unknown>>> {
  const source = await readText(context, file);
  const text = source.replace(/^\ufeff/, "");
  const json = jsonIn(text);
  const read = json === undefined ? readYaml(file, text) : { value: json, issue: jsonTextIssue(text, max_depth) };
  const { value } = read;
  const issue = read.issue ?? structuralIssue(value, max_depth);
  if (issue !== null) return failed(usage(`${file}: ${issue.path} ${issue.message}.`, [issue]));
  return isObject(value) ? value : failed(usage(`${file} must hold an object with named fields.`));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Undefined when the text is not JSON. */
function jsonIn(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

/** With the first fault that parsing has not noticed. */
type Read = { readonly value: unknown; readonly issue: FieldIssue | null };

function readYaml(file: string, source: string): Read {
  const document = parseDocument(source, { schema: "core", uniqueKeys: true, logLevel: "error" });
  const [fault] = document.errors;
  if (fault !== undefined) return failed(usage(`${file} is neither JSON nor YAML: ${fault.message.trimEnd()}`));
  try {
    return { value: document.toJS({ maxAliasCount: 0 }), issue: yamlNumberIssue(document) };
  } catch {
    return failed(usage(`${file} uses an alias (*name); write the value out.`));
  }
}

/** Adds the file name to a failure about the content of the file. */
export async function inFile<T>(file: string, doing: Promise<T>): Promise<T> {
  const result = await tried(doing);
  if (result.ok) return result.value;
  const { exit, detail } = result.failure;
  return failed(exit === EXIT.usage ? { ...result.failure, detail: `${file}: ${detail}` } : result.failure);
}

// Writes the file that a command line names. An existing file is overwritten only with --force.

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

// Gives a file that a command made: written where the command line says, or on stdout.

type Destination = { readonly file: string | undefined; readonly force: boolean };

/** Text on a terminal is made printable; all other output is exact. */
export async function giveFile(
  context: CommandContext,
  answer: { readonly file: string },
  { file, force }: Destination,
): Promise<ExitCode> {
  const { out, stdout } = context;
  if (file !== undefined) {
    await writeText(context, file, answer.file, { force });
    out.answer({ written: file }, () => [`written to ${printable(file)}`]);
  } else if (!out.json && stdout.isTTY !== true) out.raw(answer.file);
  else out.answer(answer, () => printableLines(answer.file));
  return EXIT.done;
}
