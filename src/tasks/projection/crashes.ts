// How often a server crashed while it worked on the task, since the task last made progress (D-258).
import type { EventKind, JournalEvent } from "../../domain/journal.ts";

/** A server that takes the task up again starts after it. What every start repeats is not among them. */
const PROGRESS: ReadonlySet<EventKind> = new Set([
  "taught",
  "gate_answered",
  "approval_decided",
  "checks_looked_at",
  "checks_examined",
  "step_finished",
  "job_progressed",
  "job_ended",
  "step_resolved",
  "step_reconciled",
  "unparked",
  "skill_step_finished",
  "skill_ended",
  "agent_replied",
  "agent_call_judged",
  "agent_finished",
  "agent_stopped",
  "retry_granted",
  "verdict_reached",
  "reported",
]);

export const isProgress = ({ kind }: Pick<JournalEvent, "kind">): boolean => PROGRESS.has(kind);

/** The supervisor has looked at the task and lets it go on, so the count of crashes begins anew. */
export const isLetGoOn = ({ kind }: Pick<JournalEvent, "kind">): boolean =>
  kind === "unparked" || kind === "step_resolved";

export const crashesIn = (event: JournalEvent): number =>
  event.kind === "taken_up" && event.body.crashed === true ? 1 : 0;
