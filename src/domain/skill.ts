// The end that a skill handler returns, and the progress that it reports [2.skill.handler].
import { z } from "zod";
import { JsonValue } from "./json.ts";
import { NextAction } from "./next-action.ts";

/** The return value of a handler; it ends the task. */
export const SkillEnd = z.strictObject({
  status: z.enum(["ok", "failed", "blocked"]),
  code: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/)
    .describe("the skill's own reason code; it stays stable"),
  message: z.string().min(1).max(4096).describe("a sentence for the supervisor"),
  next: z
    .union([z.string().min(1).max(1024), z.array(NextAction).max(16)])
    .optional()
    .describe("what the supervisor may do next: a sentence, or actions"),
  result: JsonValue.optional().describe("data that the handler found or changed"),
});
export type SkillEnd = z.infer<typeof SkillEnd>;

export const SkillProgress = z.strictObject({
  done: z.number().min(0),
  total: z.number().min(0),
  text: z.string().max(1024),
});
export type SkillProgress = z.infer<typeof SkillProgress>;
