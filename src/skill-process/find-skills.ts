// Finds the skills when the server starts: every directory with a handler.ts is one, and each intent that it lists is routed
// to it. A faulty skill stops the start, with its file and the reason. Its code runs in processes of its own (D-252).
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { OfferedSkillTool } from "../agent/agent-services.ts";
import type { Config } from "../config/config.ts";
import { INTENTS } from "../domain/contract.ts";
import type { Skill } from "../ports.ts";
import { describeFile, nameOf, skillInProcess, unusable } from "./skill-in-process.ts";

/** The skills that come with orch. */
const CAPABILITIES = join(import.meta.dirname, "../../capabilities");

export type Skills = {
  readonly intents: ReadonlySet<string>;
  /** The tools of all skills, for agents. */
  readonly tools: readonly OfferedSkillTool[];
  /** Null when no skill handles the intent. */
  readonly skillOf: (intent: string) => Skill | null;
};

/** Directories with further skills, besides those that come with orch, the memory of one run, and what hears what skills print. */
export type SkillPlaces = Pick<Config, "capabilities" | "skill_memory_mb"> & {
  readonly printed?: (skill: string, line: string) => void;
};

/** Rejects with `config_invalid`. */
export async function findSkills({
  capabilities: directories,
  skill_memory_mb: memory_mb,
  printed = () => undefined,
}: SkillPlaces): Promise<Skills> {
  const claims = new Map<string, Skill & { readonly file: string }>();
  const tools: Skills["tools"][number][] = [];
  const elsewhere = await handlersInAll(directories);
  const offered = elsewhere.length === 0 ? [] : [...directories, ...elsewhere.map((file) => dirname(file))];
  const files = [...(await handlersIn(CAPABILITIES)), ...elsewhere];
  const all = files.map((file) => ({
    ...{ file, offered, memory_mb },
    printed: (line: string) => printed(nameOf(file), line),
  }));
  const described = await Promise.all(all.map(describeFile));
  for (const [at, skillFile] of all.entries()) {
    const { file } = skillFile;
    const description = described[at];
    if (description === undefined) continue;
    const { tools: own, ...skill } = skillInProcess(skillFile, description);
    tools.push(...own.map((tool) => ({ ...tool, skill: skill.name })));
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
