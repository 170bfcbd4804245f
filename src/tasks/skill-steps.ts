// How far a skill handler has come, read from the journal alone: what a step gave stays what it gave, and a step whose end
// nobody recorded is known for it (design: journal).
import { z } from "zod";
import type { EventBody, JournalEvent } from "../domain/journal.ts";
import { JsonValue } from "../domain/json.ts";

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

/** In the order in which they first started. */
export function skillStepsOf(events: readonly JournalEvent[]): SkillStep[] {
  const steps: SkillStep[] = [];
  for (const event of events) {
    if (event.kind === "skill_step_started") {
      const { index, name, attempt, repeatable = false } = event.body;
      const open = { state: "cut_off" as const, value: null, message: null, calls: [], duration_ms: null };
      steps[index] = { index, name, attempt, repeatable, started_at: event.at, ...open };
    } else if (event.kind === "skill_step_finished") {
      turn(steps, event.body.index, ended(event.body));
    } else if (event.kind === "step_resolved") {
      turn(steps, event.body.index, resolved(event.body));
    }
  }
  return steps;
}

/** Whether a skill may have had an effect. */
export const hasActed = (events: readonly JournalEvent[]): boolean =>
  events.some((event) => event.kind === "skill_step_started" && event.body.repeatable !== true);

function turn(steps: SkillStep[], index: number, change: Partial<SkillStep>): void {
  const step = steps[index];
  if (step !== undefined) steps[index] = { ...step, ...change };
}

const ended = ({ ok, value, message, calls, duration_ms }: EventBody<"skill_step_finished">): Partial<SkillStep> => ({
  state: ok ? "passed" : "failed",
  value,
  message,
  calls,
  duration_ms,
});

function resolved({ resolution, reason }: EventBody<"step_resolved">): Partial<SkillStep> {
  const state = ({ succeeded: "passed", failed: "failed", retry: "again" } as const)[resolution];
  return { state, message: `resolved by the supervisor as ${resolution}${reason === null ? "" : `: ${reason}`}` };
}
