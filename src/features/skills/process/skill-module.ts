// Loads the modules of a skill, in its process: handler.ts, and tools.ts beside it, and says why one cannot be loaded. What a
// skill outside of the checkout can import by name: zod, and orch itself, as in "orch/approval".
import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import metadata from "../../../../package.json" with { type: "json" };
import { Intent, type TaskContract } from "../../../domain/contract.ts";
import { wordsOf } from "../../../domain/errors.ts";
import { CODE, ROOT } from "../../../own-file.ts";
import type { SkillContext, SkillTool } from "../../../ports.ts";
import type { SkillDescription, SkillFault } from "./orders.ts";

const OFFERED = /^(zod|orch)\//;

/** For every module below these directories, wherever they are linked from, until the process ends. */
export function offerImports(directories: readonly string[]): void {
  const below = directories.map((directory) => `${pathToFileURL(realpathSync(directory)).href}/`);
  registerHooks({
    resolve: (specifier, context, next) => {
      const isOffered = OFFERED.test(`${specifier}/`) && below.some((base) => context.parentURL?.startsWith(base));
      return next(specifier, isOffered ? { ...context, parentURL: import.meta.url } : context);
    },
  });
}

const Handler = z.looseObject({
  HANDLED_INTENTS: z
    .array(
      z.string().refine((name) => Intent.safeParse(name).success, "must be lower case, with underscores"),
      { error: "must be an array of intents" },
    )
    .min(1, "must list at least one intent"),
  handle: z.custom<(ctx: SkillContext, task: TaskContract) => unknown>(
    (value) => typeof value === "function",
    "must be a function (ctx, task)",
  ),
});

const Tools = z.looseObject({
  TOOLS: z.array(
    z.looseObject({
      name: z.string().regex(/^[a-z][a-z0-9_]{0,47}$/, "must be lower case, with underscores, at most 48"),
      description: z.string().min(1, "must say what it does").max(1_024),
      parameters: z.custom<z.ZodType>((value) => value instanceof z.ZodType, "must be a zod schema"),
      scope: z.string().min(1, "must name an entry of implicit_scope").max(128),
      effect: z.enum(["reads", "checks", "changes"], "must be reads, checks or changes"),
      run: z.custom<SkillTool["run"]>((value) => typeof value === "function", "must be a function (ctx, given)"),
    }),
  ),
});

export const loadHandler = (file: string) => moduleOf(file, Handler);

/** The tools in the tools.ts beside a handler, which ends as that does; none when there is no such file. */
export async function loadTools(handler: string): Promise<z.output<typeof Tools>["TOOLS"]> {
  const file = join(dirname(handler), `tools${extname(handler)}`);
  if (!existsSync(file)) return [];
  const { TOOLS } = await moduleOf(file, Tools);
  const twice = TOOLS.find(({ name }, position) => TOOLS.findIndex((tool) => tool.name === name) !== position);
  if (twice !== undefined)
    throw new Unusable({ file, line: await lineOfExport(file, ["TOOLS"]), why: `TOOLS lists ${twice.name} twice` });
  return TOOLS;
}

export async function describeSkill(file: string): Promise<SkillDescription | SkillFault> {
  try {
    const { HANDLED_INTENTS: intents } = await loadHandler(file);
    const tools = (await loadTools(file)).map(({ name, description, scope, effect, parameters }) => ({
      name,
      description,
      scope,
      effect,
      parameters: z.toJSONSchema(parameters, { io: "input", unrepresentable: "any" }),
    }));
    return { intents, tools };
  } catch (error) {
    if (error instanceof Unusable) return error.fault;
    throw error;
  }
}

async function moduleOf<S extends z.ZodType>(file: string, schema: S): Promise<z.output<S>> {
  const module: object = await import(pathToFileURL(file).href).catch(async (error: unknown) => {
    throw new Unusable(await loadFault(file, error));
  });
  const parsed = schema.safeParse({ ...module });
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: "" }] = parsed.error.issues;
  throw new Unusable({ file, line: await lineOfExport(file, path), why: `${path.join(".")} ${message}` });
}

class Unusable extends Error {
  readonly fault: SkillFault;

  constructor(fault: SkillFault) {
    super(`${fault.file} cannot be used: ${fault.why}`);
    this.fault = fault;
  }
}

type Place = Pick<SkillFault, "file" | "line">;

/** The head of the stack of an error of syntax, or a frame of one that was thrown. */
const PLACES =
  /^(?:file:\/\/)?(\/.+?):(\d+)$|\((?:file:\/\/)?(\/.+?):(\d+):\d+\)$|at (?:async )?(?:file:\/\/)?(\/.+?):(\d+):\d+$/gm;
const NOT_FOUND = /^Cannot find (package|module) '([^']+)' imported from (.+)$/;
const ONLY_STRIPPED = "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX";
const NOT_EXPORTED = /^Package subpath '\.\/([^']+)' is not defined by "exports" in .+ imported from (.+)$/;

/**
 * Why a module of a skill cannot be loaded, with the file and the line: node has both in the stack of the error only.
 */
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
const lineOfExport = (file: string, [name = ""]: readonly PropertyKey[]): Promise<number | null> =>
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
