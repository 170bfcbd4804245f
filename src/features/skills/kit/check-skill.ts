// Checks a skill without running it: its name, its types, and whether a server would take it.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { own, ROOT } from "../../../own-file.ts";
import { claimedIn, ofOtherLanguage, otherHandlerIn, wrongClaim } from "../process/find-skills.ts";
import type { SkillDescription, SkillFault } from "../process/orders.ts";
import { describeFile } from "../process/skill-in-process.ts";
import { type CheckedTypes, checkTypes } from "./compiler-check.ts";
import { nameFault } from "./new-skill.ts";

export type SkillReport = {
  readonly intents: readonly string[];
  readonly tools: readonly string[];
  /** The compiler that has checked the types; null when none is installed. Absent without a handler. */
  readonly types?: string | null;
  readonly faults: readonly SkillFault[];
};

type Places = { readonly capabilities: readonly string[]; readonly skill_memory_mb: number };

const MAX_TOOL_NAME = 64;

export async function checkSkill(directory: string, places: Places): Promise<SkillReport> {
  const file = join(directory, "handler.ts");
  const fault = (why: string): SkillFault => ({ file, line: null, why });
  if (!existsSync(file)) {
    const other = await otherHandlerIn(directory);
    if (other !== null) return { intents: [], tools: [], faults: [ofOtherLanguage(other)] };
    const why = existsSync(directory) ? "is not there: a skill is a directory with a handler.ts" : "is not there";
    return { intents: [], tools: [], faults: [fault(why)] };
  }
  const wrong = nameFault(basename(directory));
  const types = await checkTypes(directory);
  const offered = [dirname(directory), directory];
  const described = await describeFile({ file, offered, memory_mb: places.skill_memory_mb, printed: () => undefined });
  const loaded = "why" in described ? { intents: [], tools: [] } : described;
  const shape = "why" in described ? [described] : (await shapeFaults(described, { directory, places })).map(fault);
  const names = wrong === null ? [] : [{ file: directory, line: null, why: wrong }];
  return {
    intents: loaded.intents,
    tools: loaded.tools.map(({ name }) => name),
    types: types.by,
    faults: [...names, ...types.faults, ...shape.filter((one) => !isKnown(one, types))],
  };
}

/** The compiler and node find the same place where a text cannot be parsed. */
const isKnown = ({ file, line }: SkillFault, { faults }: CheckedTypes): boolean =>
  line !== null && faults.some((one) => one.file === file && one.line === line);

type Beside = { readonly directory: string; readonly places: Places };

async function shapeFaults({ intents, tools }: SkillDescription, { directory, places }: Beside): Promise<string[]> {
  const name = basename(directory);
  const claim = wrongClaim(intents);
  const others = await otherClaims(directory, places.capabilities);
  const long = tools.filter((tool) => `${name}__${tool.name}`.length > MAX_TOOL_NAME);
  return [
    ...(claim === null ? [] : [claim]),
    ...others
      .filter(({ intent }) => intents.includes(intent))
      .map(({ intent, file }) => `${intent} is claimed by ${file} too: a server blocks what two skills claim`),
    ...long.map((tool) => `agents see the tool as ${name}__${tool.name}, which may have ${MAX_TOOL_NAME} characters`),
  ];
}

async function otherClaims(directory: string, capabilities: readonly string[]) {
  const claims: { readonly intent: string; readonly file: string }[] = [];
  const shipped = join(ROOT, "capabilities");
  for (const parent of new Set([shipped, ...capabilities.map((path) => resolve(path)), dirname(directory)]))
    for (const entry of await readdir(parent).catch(() => [])) {
      const file = join(parent, entry, parent === shipped ? own("handler.ts") : "handler.ts");
      if (dirname(file) === directory || !existsSync(file)) continue;
      for (const intent of await claimedIn(file)) claims.push({ intent, file });
    }
  return claims;
}
