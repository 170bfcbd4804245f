// What the commands on skills have of orch.
import type { SkillReport } from "../skill-kit/check-skill.ts";
import type { SkillTrial } from "../skill-test/test-skill.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Files = Readonly<Record<string, string>>;

export type SkillParts = {
  /** The files of a new skill by name, or what is wrong with its name. */
  readonly make: (name: string, directory: string) => { readonly fault: string } | { readonly files: Files };
  readonly check: (directory: string, environment: Environment) => Promise<SkillReport>;
  readonly test: (directory: string, environment: Environment) => Promise<SkillTrial>;
};
