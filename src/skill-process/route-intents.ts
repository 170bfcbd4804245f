// Which skill an intent goes to. What two skills claim, and what one claims that cannot be used, is blocked with the reason (D-271).
import { readFile } from "node:fs/promises";
import { INTENTS, Intent } from "../domain/contract.ts";
import type { Skill } from "../ports.ts";
import { nameOf } from "./skill-in-process.ts";

/** `intents` of one that cannot be used: those that it would claim, as far as that is known. */
export type FoundSkill = Skill & { readonly file: string };
export type UnusableSkill = Pick<FoundSkill, "name" | "file" | "intents"> & {
  /** A sentence without its full stop. */
  readonly fault: string;
};

export function routeIntents(found: readonly FoundSkill[]) {
  const judged = found.map(refused);
  const usable = judged.filter(({ fault }) => fault === null);
  const skills = new Map<string, Skill>();
  const contested = new Map<string, UnusableSkill>();
  for (const skill of usable)
    for (const intent of skill.intents) {
      const others = usable.filter(({ intents, file }) => intents.includes(intent) && file !== skill.file);
      if (others.length > 0) contested.set(intent, contest(intent, [skill, ...others]));
      skills.set(intent, contested.get(intent) ?? skill);
    }
  const unusable = judged.flatMap((skill) => (skill.fault === null ? [] : [skill]));
  // What a skill that works handles stays with it.
  for (const skill of unusable) for (const intent of skill.intents) if (!skills.has(intent)) skills.set(intent, skill);
  return { skills, unusable: [...unusable, ...contested.values()] };
}

/** A skill whose claims are wrong cannot be used. */
function refused(skill: FoundSkill): FoundSkill {
  if (skill.fault !== null) return skill;
  const { file, name, intents } = skill;
  const why = wrongClaim(intents);
  if (why === null) return skill;
  const others = intents.filter((intent) => !isOfOrch(intent));
  return { file, name, intents: others, fault: `The skill ${name} cannot be used: ${file}: ${why}` };
}

/** Null when a skill may claim these. */
export function wrongClaim(intents: readonly string[]): string | null {
  const own = intents.find(isOfOrch);
  if (own !== undefined) return `it claims ${own}, which orch runs itself`;
  const twice = intents.find((intent, at) => intents.indexOf(intent) !== at);
  return twice === undefined ? null : `HANDLED_INTENTS lists ${twice} twice`;
}

function contest(intent: string, claiming: readonly FoundSkill[]): UnusableSkill {
  const files = claiming.map(({ file }) => file).sort();
  const name = claiming
    .map((skill) => skill.name)
    .sort()
    .join(" and ");
  const fault = `No skill can handle ${intent}: ${files.join(" and ")} both claim it`;
  return { name, file: files.join(" and "), intents: [intent], fault };
}

const isOfOrch = (intent: string): boolean => (INTENTS as readonly string[]).includes(intent);

// The intents that a handler claims which cannot be loaded: read from its text, else one with the name of the skill (D-271).

const LIST = /\bHANDLED_INTENTS\b[^=]*=\s*\[([^\]]*)\]/;
const TEXT = /"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`/g;

export async function claimedIn(file: string): Promise<string[]> {
  const source = await readFile(file, "utf8").catch(() => "");
  const texts = [...(LIST.exec(source)?.[1] ?? "").matchAll(TEXT)].map(([, ...quoted]) => quoted.join(""));
  const listed = [...new Set(texts)].filter(mayClaim);
  return listed.length > 0 ? listed : [nameOf(file).replaceAll("-", "_")].filter(mayClaim);
}

const mayClaim = (intent: string): boolean =>
  Intent.safeParse(intent).success && !(INTENTS as readonly string[]).includes(intent);
