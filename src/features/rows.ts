// Lists how the store writes and reads the rows of features.
import type { Quarantine } from "../domain/quarantine.ts";
import type { Database } from "../store/database.ts";
import type { Applied } from "../store/rows.ts";
import type { Session } from "../store/sql.ts";
import { readFreezes, writeFreeze } from "./freeze/rows.ts";
import { insertLeaves, readAnchors } from "./keeping/anchor-rows.ts";
import type { FeatureChange, FeatureStore } from "./records.ts";
import { settleSchedule } from "./schedules/changes.ts";
import { readSchedules, writeSchedule } from "./schedules/rows.ts";

/** Resolves to false when what the change expects does not hold. */
export function writeFeature(change: FeatureChange, session: Session, at: string): Promise<Applied> {
  switch (change.on) {
    case "schedule_created":
    case "schedule":
    case "schedule_deleted":
      return writeSchedule(change, session, at);
    case "freeze_created":
    case "freeze_thawed":
      return writeFreeze(change, session);
    case "anchor_leaves":
      return insertLeaves(change, session);
  }
}

export const readFeatures = (database: Database, onDamaged: Quarantine["add"]): FeatureStore => ({
  ...readSchedules(database, onDamaged),
  ...readFreezes(database, onDamaged),
  ...readAnchors(database),
});

/** What becomes of a schedule in a database that was brought back from a backup. */
export const scheduleRestored = settleSchedule;
