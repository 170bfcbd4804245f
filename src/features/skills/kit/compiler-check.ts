// Checks the types of a skill with the TypeScript compiler, where one is installed: with orch, or beside the skill (D-278).
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type typescript from "typescript";
import { z } from "zod";
import metadata from "../../../../package.json" with { type: "json" };
import { ROOT } from "../../../own-file.ts";
import { CUT_OFF } from "../process/context-in-process.ts";
import type { SkillFault } from "../process/orders.ts";

type Compiler = typeof typescript;
export type CheckedTypes =
  | { readonly by: string; readonly faults: readonly SkillFault[] }
  | { readonly by: null; readonly faults: readonly [] };

export async function checkTypes(directory: string): Promise<CheckedTypes> {
  const ts = await findCompiler(directory);
  if (ts === null) return { by: null, faults: [] };
  const files = await sourcesIn(directory);
  const program = ts.createProgram(files, optionsFor(ts, directory));
  const own = program.getSourceFiles().filter(({ fileName }) => files.includes(fileName));
  const found = own.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  return { by: `typescript ${ts.version}`, faults: found.map((diagnostic) => compilerFault(ts, diagnostic)) };
}

async function findCompiler(directory: string): Promise<Compiler | null> {
  for (const from of [import.meta.url, pathToFileURL(join(directory, "handler.ts")).href]) {
    try {
      const { default: compiler } = await import(pathToFileURL(createRequire(from).resolve("typescript")).href);
      return compiler;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return null;
}

async function sourcesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true });
  return entries
    .filter((entry) => entry.endsWith(".ts") && !entry.split("/").includes("node_modules"))
    .sort()
    .map((entry) => join(directory, entry));
}

/** What an editor reads in a tsconfig.json, and the compiler here. Node runs the files as they are: types are only removed. */
export const TYPE_OPTIONS = {
  target: "es2024",
  lib: ["es2024", "esnext.disposable"],
  module: "preserve",
  moduleResolution: "bundler",
  noEmit: true,
  strict: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  types: ["node"],
} as const;

/** A file of the checkout; of the package, the types beside it. */
const Exported = z.record(
  z.string(),
  z.union([z.string(), z.object({ types: z.string() }).transform((it) => it.types)]),
);

/** The names that a skill imports, and where they are: orch itself, as its package exports it, and zod. */
export function importPaths(): Record<string, string[]> {
  const exported = Object.entries(Exported.parse(metadata.exports)).map(([name, path]) => [
    `orch/${name.slice("./".length)}`,
    [join(ROOT, path)],
  ]);
  return {
    ...Object.fromEntries(exported),
    zod: [dirname(createRequire(import.meta.url).resolve("zod/package.json"))],
  };
}

/** Of node, where they are installed. */
export const typeRoots = (directory: string): string[] =>
  [join(ROOT, "node_modules/@types"), join(directory, "node_modules/@types")].filter((path) => existsSync(path));

function optionsFor(ts: Compiler, directory: string): typescript.CompilerOptions {
  const roots = typeRoots(directory);
  const types = roots.some((root) => existsSync(join(root, "node"))) ? ["node"] : [];
  const compilerOptions = { ...TYPE_OPTIONS, types, typeRoots: roots, paths: importPaths() };
  return ts.convertCompilerOptionsFromJson(compilerOptions, directory).options;
}

// What the compiler finds in a skill, in short: of a call with several forms only what the last one says, which takes the most,
// and of a long text only the first and the last line.

type CompilerFaultCompiler = typeof typescript;
type Message = string | typescript.DiagnosticMessageChain;

const NO_OVERLOAD = 2769;
const MAX_WORDS = 300;
/** The type of the third argument, in src/ports.ts. */
const OF_CUT_OFF = "of type 'CutOff<";

function compilerFault(ts: CompilerFaultCompiler, { file, start = 0, messageText }: typescript.Diagnostic): SkillFault {
  if (file === undefined) throw new Error(`typescript names no file: ${wordsOf(messageText)}`);
  const { line } = ts.getLineAndCharacterOfPosition(file, start);
  const why = wordsOf(messageText);
  const remedy = why.includes(OF_CUT_OFF) ? ` The third argument of ctx.step must be ${CUT_OFF}.` : "";
  return { file: file.fileName, line: line + 1, why: why + remedy };
}

function wordsOf(message: Message): string {
  const lines = linesOf(formOf(message)).map((line) => line.replaceAll(/\s+/g, " "));
  const words = lines.join(" ");
  return words.length <= MAX_WORDS || lines.length < 2 ? words : `${lines[0]} ... ${lines.at(-1)}`;
}

/** Of a call that fits no form: the forms follow, and what is wrong follows each. */
function formOf(message: Message): Message {
  if (typeof message === "string" || message.code !== NO_OVERLOAD) return message;
  return message.next?.at(-1)?.next?.[0] ?? message;
}

const linesOf = (message: Message): string[] =>
  typeof message === "string" ? [message] : [message.messageText, ...(message.next ?? []).flatMap(linesOf)];
