// What the commands on skills have of orch: composed here, because a command imports no adapter.
import type { SkillParts } from "../cli/skill-parts.ts";
import { readConfig } from "../config/config.ts";
import { checkSkill } from "../skill-kit/check-skill.ts";
import { newSkill } from "../skill-kit/new-skill.ts";
import { intentOf, nameFault } from "../skill-kit/skill-name.ts";
import { wrongClaim } from "../skill-process/route-intents.ts";
import { trySkill } from "./try-skill.ts";

export const skillCommands: SkillParts = {
  make: (name, directory) => {
    const fault = nameFault(name) ?? wrongClaim([intentOf(name)]);
    return fault === null ? { files: newSkill(name, directory) } : { fault };
  },
  check: (directory, environment) => checkSkill(directory, readConfig(environment)),
  test: trySkill,
};
