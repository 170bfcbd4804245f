// How far a skill handler has come, read from the journal alone: what a step gave stays what it gave, and a step whose end
// nobody recorded is known for it (design: journal).
import type { EventBody, JournalEvent } from "../domain/journal.ts";
import type { SkillStep } from "../domain/skill-step.ts";

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
