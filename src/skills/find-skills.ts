// Finds the skills when the server starts: every directory with a handler.ts is one, and each intent that it lists is routed
// to it. A faulty skill stops the start, with its file and the reason. What a skill outside of the checkout can import by name:
// zod, and orch itself, as in "orch/src/approval.ts".
import { existsSync, realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { registerHooks } from "node:module";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { SkillTool } from "../agent/port.ts";
import { INTENTS, Intent } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import type { Skill } from "../ports.ts";

const OFFERED = /^(zod|orch)\//;

/** For every module below these directories, wherever they are linked from, until the process ends. */
function offerImports(directories: readonly string[]): void {
  const below = directories.map((directory) => `${pathToFileURL(realpathSync(directory)).href}/`);
  registerHooks({
    resolve: (specifier, context, next) => {
      const isOffered = OFFERED.test(`${specifier}/`) && below.some((base) => context.parentURL?.startsWith(base));
      return next(specifier, isOffered ? { ...context, parentURL: import.meta.url } : context);
    },
  });
}

/** The skills that come with orch. */
const CAPABILITIES = join(import.meta.dirname, "../../capabilities");

const Handler = z.looseObject({
  HANDLED_INTENTS: z
    .array(
      z.string().refine((name) => Intent.safeParse(name).success, "must be lower case, with underscores"),
      {
        error: "must be an array of intents",
      },
    )
    .min(1, "must list at least one intent"),
  handle: z.custom<Skill["handle"]>((value) => typeof value === "function", "must be a function (ctx, task)"),
});

export type Skills = {
  readonly intents: ReadonlySet<string>;
  /** The tools of all skills, for agents. */
  readonly tools: readonly (SkillTool & { readonly skill: string })[];
  /** Null when no skill handles the intent. */
  readonly skillOf: (intent: string) => Skill | null;
};

/** `directories` hold further skills, besides those that come with orch. Rejects with `config_invalid`. */
export async function findSkills(directories: readonly string[] = []): Promise<Skills> {
  const claims = new Map<string, Skill & { readonly file: string }>();
  const tools: Skills["tools"][number][] = [];
  const elsewhere = await handlersInAll(directories);
  if (elsewhere.length > 0) offerImports([...directories, ...elsewhere.map((file) => dirname(file))]);
  for (const file of [...(await handlersIn(CAPABILITIES)), ...elsewhere]) {
    const skill = await load(file);
    tools.push(...(await toolsBeside(file)).map((tool) => ({ ...tool, skill: skill.name })));
    for (const intent of skill.intents) {
      const other = claims.get(intent);
      if ((INTENTS as readonly string[]).includes(intent))
        throw unusable(file, `claims ${intent}, which orch runs itself`);
      if (other?.file === file) throw unusable(file, `HANDLED_INTENTS lists ${intent} twice`);
      if (other !== undefined) throw unusable(file, `claims ${intent}, which ${other.file} claims already`);
      claims.set(intent, { ...skill, file });
    }
  }
  return { intents: new Set(claims.keys()), tools, skillOf: (intent) => claims.get(intent) ?? null };
}

async function handlersInAll(directories: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const directory of new Set(directories.map((path) => resolve(path)))) {
    const handlers = await handlersIn(directory);
    const isSkill = existsSync(join(directory, "handler.ts"));
    if (isSkill) throw unusable(directory, "it is a skill itself; name the directory that holds it");
    if (handlers.length === 0) throw unusable(directory, "it holds no directory with a handler.ts");
    files.push(...handlers.filter((file) => !file.startsWith(`${resolve(CAPABILITIES)}/`)));
  }
  return files;
}

/** In the order of their names, so that a clash is reported the same way on every machine. */
async function handlersIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory).catch((error: Error) => {
    throw unusable(directory, `cannot be read: ${error.message}`);
  });
  return entries
    .sort()
    .map((entry) => join(directory, entry, "handler.ts"))
    .filter((file) => existsSync(file));
}

const LOAD_MS = 10_000;

async function load(file: string): Promise<Skill> {
  const { HANDLED_INTENTS: intents, handle } = await moduleOf(file, Handler);
  return { name: nameOf(file), intents, handle };
}

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

/** The tools in the tools.ts beside a handler; none when there is no such file. */
async function toolsBeside(handler: string): Promise<readonly SkillTool[]> {
  const file = join(dirname(handler), "tools.ts");
  if (!existsSync(file)) return [];
  const { TOOLS } = await moduleOf(file, Tools);
  const twice = TOOLS.find(({ name }, position) => TOOLS.findIndex((tool) => tool.name === name) !== position);
  if (twice !== undefined) throw unusable(file, `TOOLS lists ${twice.name} twice`);
  return TOOLS;
}

async function moduleOf<S extends z.ZodType>(file: string, schema: S): Promise<z.output<S>> {
  const late = sleep(LOAD_MS, null, { ref: false }).then(() => {
    throw new Error(`it has not finished loading after ${LOAD_MS / 1000} s`);
  });
  const module: object = await Promise.race([import(pathToFileURL(file).href), late]).catch((error: unknown) => {
    throw unusable(file, `cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, error);
  });
  const parsed = schema.safeParse({ ...module });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unusable(file, `${issue?.path.join(".")} ${issue?.message}`);
}

const nameOf = (file: string): string => resolve(file, "..").split("/").at(-1) ?? file;

const unusable = (file: string, why: string, cause?: unknown): OrchError =>
  new OrchError("config_invalid", `The skill ${file} cannot be used: ${why}.`, {
    issues: [{ path: file, message: why }],
    ...(cause !== undefined && { cause }),
  });
