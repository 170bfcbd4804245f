// The groups that are always counted apart [8.target.R4]: by who knows what to do.
import type { TaskContract } from "../contract.ts";
import type { JournalEvent } from "../journal.ts";
import type { ReasonCode } from "../reason-code.ts";

export const COHORTS = ["agent", "teach", "known", "skill", "update"] as const;
export type Cohort = (typeof COHORTS)[number];

export function cohortOf(
  { intent, delegation_mode }: Pick<TaskContract, "intent" | "delegation_mode">,
  events: readonly JournalEvent[],
  reason_code: ReasonCode,
): Cohort {
  if (intent === "update_sop") return "update";
  if (delegation_mode === "agent") return "agent";
  // Which intents have a skill depends on the server, and a journal does not change with it.
  if (reason_code.startsWith("skill_") || events.some(({ kind }) => kind.startsWith("skill_"))) return "skill";
  return delegation_mode === "teach_if_unknown" ? "teach" : "known";
}
