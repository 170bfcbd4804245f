// Finds the skills when the server starts: every directory with a handler.ts is one, and each intent that it lists is routed
// to it. Its code runs in processes of its own (D-252). A skill that cannot be used stops no other one (D-271).
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Config } from "../../../config/config.ts";
import { INTENTS, Intent } from "../../../domain/contract.ts";
import { OrchError } from "../../../domain/errors.ts";
import type { Log } from "../../../log/log.ts";
import { own, ROOT } from "../../../own-file.ts";
import type { OfferedSkillTool, Skill } from "../../../ports.ts";
import type { Redact } from "../../../redact/find-secrets.ts";
import type { SkillFault } from "./orders.ts";
import { describeFile, nameOf, type SkillFile, skillInProcess } from "./skill-in-process.ts";

/** The skills that come with orch. */
const CAPABILITIES = join(ROOT, "capabilities");

export type Skills = {
  readonly intents: ReadonlySet<string>;
  /** The tools of all skills, for agents. */
  readonly tools: readonly OfferedSkillTool[];
  /** Null when no skill handles the intent. */
  readonly skillOf: (intent: string) => Skill | null;
  /** Tasks of their intents are blocked. */
  readonly unusable: readonly UnusableSkill[];
};

/** Directories with further skills, besides those that come with orch, the memory of one run, and what hears what skills print. */
export type SkillPlaces = Pick<Config, "capabilities" | "skill_memory_mb"> & {
  readonly printed?: (skill: string, line: string) => void;
};

/** Rejects with `config_invalid` for a directory that is not one of skills. */
export async function findSkills(places: SkillPlaces): Promise<Skills> {
  const { capabilities, skill_memory_mb: memory_mb, printed = () => undefined } = places;
  const elsewhere = await handlersInAll(capabilities);
  const offered = elsewhere.length === 0 ? [] : [...capabilities, ...elsewhere.map((file) => dirname(file))];
  const files = [...(await handlersIn(CAPABILITIES, own("handler.ts"))), ...elsewhere];
  return skillsOf(
    files.map((file) => ({
      file,
      offered,
      memory_mb,
      printed: (line: string) => printed(nameOf(file), line),
    })),
  );
}

export async function skillsOf(files: readonly SkillFile[]): Promise<Skills> {
  const found = await Promise.all(files.map(look));
  const { skills, unusable } = routeIntents(found);
  const tools = found.flatMap(({ file, tools: own }) => (unusable.some((one) => one.file === file) ? [] : own));
  return { intents: new Set(skills.keys()), tools, unusable, skillOf: (intent) => skills.get(intent) ?? null };
}

async function look(skill: SkillFile): Promise<FoundSkill & Pick<Skills, "tools">> {
  const { file } = skill;
  const name = nameOf(file);
  const handler = file.startsWith(`${CAPABILITIES}/`) ? own("handler.ts") : "handler.ts";
  const described = basename(file) !== handler ? ofOtherLanguage(file) : await describeFile(skill);
  if ("why" in described) {
    const fault = `The skill ${name} cannot be used: ${faultText(described)}`;
    return { file, name, intents: await claimedIn(file), fault, tools: [] };
  }
  const { tools, ...usable } = skillInProcess(skill, described);
  return { file, ...usable, tools: tools.map((tool) => ({ ...tool, skill: name })) };
}

/** Handlers that orch does not run. */
const OTHER_HANDLER = /^handler\.(py|rb|pl|lua|php|sh|go|rs|m?jsx?|cjs|tsx|mts|cts)$/;

/** Why a handler in another language cannot be used. */
export const ofOtherLanguage = (file: string): SkillFault => ({
  file,
  line: null,
  why: "orch runs handlers in TypeScript only; write it as handler.ts (orch skill new NAME makes one to begin with)",
});

/** The handler of a directory that orch does not run; null where there is none, or one that it runs. */
export async function otherHandlerIn(directory: string, handler = "handler.ts"): Promise<string | null> {
  const names = await readdir(directory).catch((): string[] => []);
  const other = names.includes(handler) ? undefined : names.find((name) => OTHER_HANDLER.test(name));
  return other === undefined ? null : join(directory, other);
}

const faultText = ({ file, line, why }: SkillFault): string => `${file}${line === null ? "" : `:${line}`}: ${why}`;

async function handlersInAll(directories: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const directory of new Set(directories.map((path) => resolve(path)))) {
    const handlers = await handlersIn(directory);
    const isSkill = existsSync(join(directory, "handler.ts")) || (await otherHandlerIn(directory)) !== null;
    if (isSkill) throw noSkills(directory, "it is a skill itself; name the directory that holds it");
    if (handlers.length === 0) throw noSkills(directory, "it holds no directory with a handler.ts");
    files.push(...handlers.filter((file) => !file.startsWith(`${resolve(CAPABILITIES)}/`)));
  }
  return files;
}

/** In the order of their names, so that a clash is reported the same way on every machine. */
async function handlersIn(directory: string, handler = "handler.ts"): Promise<string[]> {
  const entries = await readdir(directory).catch((error: Error) => {
    throw noSkills(directory, `cannot be read: ${error.message}`);
  });
  const found = entries.sort().map(async (entry) => {
    const file = join(directory, entry, handler);
    return existsSync(file) ? file : otherHandlerIn(join(directory, entry), handler);
  });
  return (await Promise.all(found)).filter((file) => file !== null);
}

const noSkills = (path: string, why: string): OrchError =>
  new OrchError("config_invalid", `ORCH_CAPABILITIES names ${path}: ${why}.`, { issues: [{ path, message: why }] });

/** `intents` of one that cannot be used: those that it would claim, as far as that is known. */
type FoundSkill = Skill & { readonly file: string };
type UnusableSkill = Pick<FoundSkill, "name" | "file" | "intents"> & {
  /** A sentence without its full stop. */
  readonly fault: string;
};

function routeIntents(found: readonly FoundSkill[]) {
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

/**
 * Which skill an intent goes to. What two skills claim, and what one claims that cannot be used, is blocked with the reason
 * (D-271). Null when a skill may claim these.
 */
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

const LIST = /\bHANDLED_INTENTS\b[^=]*=\s*\[([^\]]*)\]/;
const TEXT = /"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`/g;

/**
 * The intents that a handler claims which cannot be loaded: read from its text, else one with the name of the skill (D-271).
 */
export async function claimedIn(file: string): Promise<string[]> {
  const source = await readFile(file, "utf8").catch(() => "");
  const texts = [...(LIST.exec(source)?.[1] ?? "").matchAll(TEXT)].map(([, ...quoted]) => quoted.join(""));
  const listed = [...new Set(texts)].filter(mayClaim);
  return listed.length > 0 ? listed : [nameOf(file).replaceAll("-", "_")].filter(mayClaim);
}

const mayClaim = (intent: string): boolean =>
  Intent.safeParse(intent).success && !(INTENTS as readonly string[]).includes(intent);

type Parts = { readonly log: Log; readonly redact: Redact };

export async function loadSkills(config: SkillPlaces, { log, redact }: Parts): Promise<Skills> {
  const printed = (skill: string, line: string) => log.info({ skill, line }, "a skill has printed");
  const skills = await findSkills({ ...config, printed });
  for (const { name, intents, fault } of skills.unusable)
    log.error({ skill: name, intents, fault }, "a skill cannot be used: tasks of its intents are blocked");
  return { ...skills, skillOf: withoutSecrets(skills, redact) };
}

/** A supervisor reads the words of an error that a handler throws while it is loaded. */
const withoutSecrets =
  ({ skillOf }: Skills, redact: Redact): Skills["skillOf"] =>
  (intent) => {
    const skill = skillOf(intent);
    return skill === null || skill.fault === null ? skill : { ...skill, fault: redact(skill.fault) };
  };
