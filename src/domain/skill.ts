// The end that a skill handler returns, the progress that it reports [2.skill.handler], and its steps as the journal records them.
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

export const SkillStep = z.strictObject({
  index: z.int().min(0),
  name: z.string(),
  attempt: z.int().min(1),
  state: z
    .enum(["passed", "failed", "again", "cut_off"])
    .describe("again: the supervisor wants it run once more; cut_off: its end is not on record"),
  repeatable: z.boolean().describe("it only reads, or may be done twice"),
  value: JsonValue.describe("what it gave"),
  message: z.string().nullable().describe("why it failed"),
  calls: z.array(z.string()).describe("the tool calls of a step that changes something"),
  started_at: z.iso.datetime(),
  duration_ms: z.number().nullable(),
});
export type SkillStep = z.infer<typeof SkillStep>;

/** The process of a handler has ended without an answer: it is not known how far its code came. */
export class HandlerLost extends Error {
  override readonly name = "HandlerLost";
}
