// Folds the run of a skill: its steps, how far it says it is, and its end.
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import type { SkillEnd, SkillProgress, SkillStep } from "../../domain/skill.ts";
import type { Fold } from "../../engine/tasks/fold.ts";
import { resolvedBySupervisor } from "../../engine/tasks/steps-fold.ts";

type SkillState = {
  /** By index, which is the order of their first starts. */
  steps: SkillStep[];
  /** Whether a step started that may have changed something. */
  has_acted: boolean;
  /** The tool calls of the steps that ended, in order. */
  calls: string[];
  progress: SkillProgress | null;
  end: SkillEnd | null;
};

const noSkill = (): SkillState => ({ steps: [], has_acted: false, calls: [], progress: null, end: null });

function evolveSkill(skill: SkillState, event: JournalEvent): void {
  switch (event.kind) {
    case "skill_step_started":
      skill.steps[event.body.index] = started(event.body, event.at);
      skill.has_acted ||= event.body.repeatable !== true;
      break;
    case "skill_step_finished":
      skill.calls.push(...event.body.calls);
      change(skill.steps, event.body.index, finished(event.body));
      break;
    case "step_resolved":
      change(skill.steps, event.body.index, resolved(event.body));
      break;
    case "skill_progressed":
      skill.progress = event.body;
      break;
    case "skill_ended":
      skill.end = event.body;
      break;
  }
}

const RUNNING = { state: "cut_off", value: null, message: null, duration_ms: null } as const;

function started({ index, name, attempt, repeatable }: EventBody<"skill_step_started">, started_at: string): SkillStep {
  return { index, name, attempt, repeatable: repeatable === true, started_at, ...RUNNING, calls: [] };
}

function change(steps: SkillStep[], index: number, changed: Partial<SkillStep>): void {
  const step = steps[index];
  if (step !== undefined) steps[index] = { ...step, ...changed };
}

function finished({ ok, value, message, calls, duration_ms }: EventBody<"skill_step_finished">): Partial<SkillStep> {
  return { state: ok ? "passed" : "failed", value, message, calls, duration_ms };
}

const STATE_OF = { succeeded: "passed", failed: "failed", retry: "again" } as const;

function resolved({ resolution, reason }: EventBody<"step_resolved">): Partial<SkillStep> {
  return { state: STATE_OF[resolution], message: resolvedBySupervisor(resolution, reason) };
}

export const SKILL: Fold<SkillState> = { initial: noSkill, evolve: evolveSkill };
