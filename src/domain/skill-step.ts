// A step of a skill handler as the journal records it.
import { z } from "zod";
import { JsonValue } from "./json.ts";

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
