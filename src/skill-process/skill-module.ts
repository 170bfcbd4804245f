// Loads the modules of a skill, in its process: handler.ts, and tools.ts beside it. What a skill outside of the checkout can
// import by name: zod, and orch itself, as in "orch/approval".
import { existsSync, realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { SkillTool } from "../agent/port.ts";
import { Intent, type TaskContract } from "../domain/contract.ts";
import type { SkillContext } from "../ports.ts";
import { lineOfExport, loadFault } from "./load-fault.ts";
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
