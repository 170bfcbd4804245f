// Lists what the features record, for the engine: events, changes of their rows, and what is read back of these.
import type { AnchorChange, KeptAnchors } from "../domain/anchor.ts";
import type { EventDefinition } from "../domain/event.ts";
import { freezeThread } from "../domain/hold.ts";
import { AGENT_EVENTS } from "./agents/events.ts";
import { APPROVAL_EVENTS } from "./approvals/events.ts";
import { JOB_EVENTS } from "./flow-engine/events.ts";
import { FREEZE_EVENTS, FREEZE_FEED, feedOfFreezeThread } from "./freeze/events.ts";
import type { FreezeChange, KeptFreezes } from "./freeze/freeze.ts";
import { KEEPING_EVENTS } from "./keeping/events.ts";
import { PROCEDURE_EVENTS } from "./procedures/events.ts";
import { feedOfSchedule, feedOfScheduleThread, SCHEDULE_EVENTS } from "./schedules/events.ts";
import { type KeptSchedules, type ScheduleChange, scheduleThread } from "./schedules/schedule.ts";
import { SERVER_EVENTS } from "./servers/events.ts";
import { SKILL_EVENTS } from "./skills/events.ts";
import { TRACE_EVENTS } from "./traces/events.ts";
import { VERIFICATION_EVENTS } from "./verification/events.ts";

export { AGENT_EVENTS, JOB_EVENTS, SKILL_EVENTS };

/** Those that the journal lists one after the other. What is reported of one has a record of its own, and not the end of a task. */
export const LATER_EVENTS = {
  ...SCHEDULE_EVENTS,
  ...FREEZE_EVENTS,
  ...TRACE_EVENTS,
  ...SERVER_EVENTS,
  ...KEEPING_EVENTS,
};

/** By kind. The order of all kinds is that of src/domain/journal.ts. */
export const FEATURE_EVENTS = {
  ...PROCEDURE_EVENTS,
  ...APPROVAL_EVENTS,
  ...JOB_EVENTS,
  ...SKILL_EVENTS,
  ...AGENT_EVENTS,
  ...LATER_EVENTS,
  ...VERIFICATION_EVENTS,
};

/** What is said of an event of this kind; undefined for the kinds of the engine. */
export const eventOfFeature = (kind: string): EventDefinition | undefined => BY_KIND.get(kind);

const BY_KIND: ReadonlyMap<string, EventDefinition> = new Map(Object.entries(FEATURE_EVENTS));

/** The reasons whose message says what to do next. */
export type ReasonOfFeature =
  | keyof typeof LATER_EVENTS
  | "sop_trial_failed"
  | "sop_set_back"
  | "sop_failing"
  | "verification_missed";

export type FeatureChange = FreezeChange | ScheduleChange | AnchorChange;
export type FeatureStore = KeptFreezes & KeptSchedules & KeptAnchors;

/** What a page reads again after the change (src/domain/change.ts); null where it shows nothing of it. */
export function feedOfFeature(change: FeatureChange) {
  switch (change.on) {
    case "schedule_created":
    case "schedule":
    case "schedule_deleted":
      return feedOfSchedule(change);
    case "freeze_created":
    case "freeze_thawed":
      return FREEZE_FEED;
    case "anchor_leaves":
      return null;
  }
}

/** The same after a message on the thread; null for a thread of the engine. */
export const feedOfThread = (thread_id: string) => feedOfFreezeThread(thread_id) ?? feedOfScheduleThread(thread_id);

/** The threads of their records, as they are published. */
export const FEATURE_THREADS = [scheduleThread("<name>"), freezeThread("<freeze_id>")];
