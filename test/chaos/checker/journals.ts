// Reads all journals of a database by the rules alone, and says which entry breaks which rule. An honest history breaks none.
import { z } from "zod";
import { breakOf } from "./chain.ts";
import { watchCancel, watchClaims } from "./claims.ts";
import { epochBreaches } from "./epochs.ts";
import type { Entry, Finding } from "./history.ts";
import { holdBreaches } from "./holds.ts";
import { type Committed, type Life, lifeBreaches } from "./lives.ts";
import { type Breach, type Fault, fault, type Watch } from "./rules.ts";
import { watchSkillSteps } from "./skill-steps.ts";
import { watchSteps } from "./steps.ts";

const OF_TASKS = new Set(["task_accepted", "taken_up", "step_started", "skill_step_started"]);

/** `rows`: every entry of the database, in the order of the commits. */
export function historyBreaches(rows: readonly Committed[], lives?: readonly Life[]): Breach[] {
  return [
    ...[...threadsOf(rows).values()].flatMap(journalBreaches),
    ...holdBreaches(rows),
    ...epochBreaches(rows),
    ...(lives === undefined ? [] : lifeBreaches(rows, lives)),
  ];
}

/** What breaks a rule in one journal, whose entries are in their order. */
export function journalBreaches(journal: readonly Entry[]): Breach[] {
  const [first] = journal;
  if (first === undefined) return [];
  const { thread_id } = first;
  const broken = breakOf(thread_id, journal);
  const chain: Breach[] = broken === null ? [] : [{ thread_id, seq: first.seq, rule: "chain", text: broken }];
  // Nothing runs in the journals of promotions and schedules.
  if (!journal.some(({ kind }) => OF_TASKS.has(kind))) return chain;
  const watches = [watchClaims(), watchCancel(), watchSteps(), watchSkillSteps()];
  const rules = journal.flatMap((entry) => watches.flatMap((watch) => readBy(watch, entry).map(at(entry))));
  const isTask = first.kind === "task_accepted";
  return [...chain, ...(isTask ? [] : [claimless(first)]), ...rules];
}

/** A body that is not what its kind says is a finding, and not the end of the checker. */
function readBy(watch: Watch, entry: Entry): readonly Fault[] {
  try {
    return watch(entry);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return fault("chain", `${entry.kind} cannot be read: ${z.prettifyError(error)}`);
  }
}

const at =
  ({ thread_id, seq }: Entry) =>
  (fault: Pick<Breach, "rule" | "text">): Breach => ({ thread_id, seq, ...fault });

const claimless = ({ thread_id, seq, kind }: Entry): Breach => ({
  thread_id,
  seq,
  rule: "claim",
  text: `it begins with ${kind}, and was not accepted`,
});

function threadsOf(rows: readonly Entry[]): Map<string, Entry[]> {
  const threads = new Map<string, Entry[]>();
  for (const row of rows) threads.set(row.thread_id, [...(threads.get(row.thread_id) ?? []), row]);
  return threads;
}

export const findingOf = ({ thread_id, seq, rule, text }: Breach): Finding => ({
  kind: rule,
  task_id: thread_id,
  text: `entry ${seq}: ${text}`,
});
