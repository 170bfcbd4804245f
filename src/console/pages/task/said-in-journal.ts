// What the head and the tabs of a task take from its journal: its contract, who ended it, and the steps of its skill.
import type { EventBody, JournalEvent } from "../../../domain/journal.ts";

type Events = readonly JournalEvent[];

export const contractIn = (events: Events): EventBody<"task_accepted">["contract"] | null =>
  events.find((event) => event.kind === "task_accepted")?.body.contract ?? null;

/** Who asked for it at the console is named in it. */
export const cancelReasonIn = (events: Events): string | null =>
  events.findLast((event) => event.kind === "cancel_requested")?.body.reason ?? null;

export const isOfSkill = (events: Events): boolean =>
  events.some(({ kind }) => kind === "skill_step_started" || kind === "skill_ended");

type SkillStep = {
  readonly name: string;
  readonly attempt: number;
  readonly end: EventBody<"skill_step_finished"> | null;
  /** It was ended because the task was cancelled: that is no failure of the step. */
  readonly cancelled: boolean;
};

export function skillStepsIn(events: Events): ReadonlyMap<number, SkillStep> {
  const steps = new Map<number, SkillStep>();
  let is_cancelled = false;
  for (const event of events) {
    is_cancelled ||= event.kind === "cancel_requested";
    if (event.kind === "skill_step_started") {
      const { index, name, attempt } = event.body;
      steps.set(index, { name, attempt, end: null, cancelled: false });
    }
    if (event.kind === "skill_step_finished") {
      const { index, attempt, ok } = event.body;
      const name = steps.get(index)?.name ?? `step ${index}`;
      steps.set(index, { name, attempt, end: event.body, cancelled: is_cancelled && !ok });
    }
  }
  return steps;
}
