// The skills with a log: of what they print, and of those that cannot be used, whose tasks are blocked (D-271).
import type { Log } from "../log/log.ts";
import type { Redact } from "../redact/redact.ts";
import { findSkills, type SkillPlaces, type Skills } from "./find-skills.ts";

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
