// Names the records of a skill for the OpenAPI document. Skills have no operation of their own.

import type { NamedSchemas } from "../../api/operations/operation.ts";
import { SkillToolStep } from "../../domain/agent-events.ts";
import { SkillEnd, SkillStep } from "../../domain/skill.ts";

export const SKILL_SCHEMAS = {
  SkillStep: [SkillStep, "One recorded step of a skill."],
  SkillEnd: [SkillEnd, "How a skill ended its task."],
  SkillToolStep: [SkillToolStep, "A call of a skill's tool, which an agent makes and no procedure contains."],
} satisfies NamedSchemas;
