// Defines what the journal records of the run of a skill, and what is said of it.
import { z } from "zod";
import { event } from "../../domain/event.ts";
import { JsonValue } from "../../domain/json.ts";
import { printableLines, span } from "../../domain/printable.ts";
import { SkillEnd, SkillProgress } from "../../domain/skill.ts";

const StepAt = { index: z.int().min(0), attempt: z.int().min(1) };

export const SKILL_EVENTS = {
  skill_step_started: event({
    body: z.strictObject({
      ...StepAt,
      name: z.string(),
      repeatable: z.literal(true).optional().describe("the step only reads, or may run twice"),
    }),
    text: ({ name, attempt }) => ({
      about: "skill step",
      text: `${name}${attempt === 1 ? "" : `, attempt ${attempt}`} ...`,
    }),
    trace: ({ index, attempt, name }) => ({ begin: { index, attempt, name: "skill_step", label: name } }),
  }),
  skill_step_finished: event({
    is_progress: true,
    body: z.strictObject({
      ...StepAt,
      ok: z.boolean(),
      value: JsonValue.describe("the value of the step; the handler gets the same value each time it starts again"),
      message: z.string().nullable().describe("why the step failed; null when it passed"),
      calls: z.array(z.string()).describe("the tool calls of a step that changes something"),
      duration_ms: z.number(),
    }),
    text: ({ ok, duration_ms, message }) => ({
      about: "skill step",
      text: `${ok ? "passed" : "failed"}, ${span(duration_ms)}`,
      state: ok ? "passed" : "failed",
      more: message === null ? [] : printableLines(message).map((line) => `| ${line}`),
    }),
    // A step that only reads is written later than it has run.
    trace: ({ index, attempt, ok, duration_ms }) => ({
      end: { index, attempt, name: "skill_step", duration_ms, failed: !ok },
    }),
  }),
  skill_progressed: event({
    body: SkillProgress,
    text: ({ done, total, text }) => ({ about: "progress", text: `${done} of ${total}  ${text}` }),
  }),
  skill_ended: event({
    is_progress: true,
    body: SkillEnd,
    text: ({ status, code }) => ({ about: "skill ended", text: `${status}: ${code}`, state: status }),
  }),
};
