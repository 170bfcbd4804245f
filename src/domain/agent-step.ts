// The step that a call of an agent runs: a step of a procedure, or a call of a skill's tool, which a procedure cannot
// contain [2.skill.tools].
import { z } from "zod";
import { JsonObject } from "./json.ts";
import { Step } from "./step.ts";

export const SkillToolStep = z.strictObject({
  kind: z.literal("skill_tool"),
  skill: z.string(),
  tool: z.string(),
  arguments: JsonObject,
  checks: z.boolean().describe("whether its success counts as proof, as the success of a check does"),
});
export type SkillToolStep = z.infer<typeof SkillToolStep>;

export const AgentStep = z.union([Step, SkillToolStep]);
export type AgentStep = z.infer<typeof AgentStep>;
