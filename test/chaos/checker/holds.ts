// One task at a time works on a target (D-012). A task has it from its claim to its end, or, before anything of it has begun, to a pause or to a
// freeze that holds its claim back.
// The entries of all threads are given in the order in which the database committed them.
import { z } from "zod";
import type { Entry } from "./history.ts";
import { type Breach, ENDED, Report } from "./rules.ts";

/** What these do changes nothing, so their tasks share a target. */
const SHARED = ["triage", "collect_logs", "health_check", "bootstrap_context"];

const Accepted = z.looseObject({
  contract: z.looseObject({ intent: z.string(), target: z.record(z.string(), z.string()) }),
});

/** The target that a task has for itself; null where it shares it, or names none [2.target.signature]. */
export function targetOf(accepted: Entry): string | null {
  const { intent, target } = Accepted.parse(accepted.body).contract;
  const pairs = Object.entries(target).map(([key, value]) => `${key}=${value}`);
  return SHARED.includes(intent) || pairs.length === 0 ? null : pairs.sort().join(";");
}

export function holdBreaches(rows: readonly Entry[]): Breach[] {
  const targets = new Map<string, string>();
  const begun = new Set<string>();
  /** By target. */
  const holders = new Map<string, string>();
  const breaches: Breach[] = [];

  const take = (target: string, { thread_id, seq }: Entry) => {
    const holder = holders.get(target);
    holders.set(target, thread_id);
    if (holder === undefined || holder === thread_id) return;
    breaches.push({ thread_id, seq, rule: "hold", text: `it takes ${target}, which ${holder} has` });
  };
  const giveBack = (target: string, { kind, thread_id, body }: Entry) => {
    const hasEnded = kind === "reported" && ENDED.includes(Report.parse(body).status);
    const isOver = hasEnded || !begun.has(thread_id);
    if (isOver && holders.get(target) === thread_id) holders.delete(target);
  };

  for (const entry of rows) {
    const { kind, thread_id, body } = entry;
    if (kind === "task_accepted") {
      const target = targetOf(entry);
      if (target !== null) targets.set(thread_id, target);
    }
    const target = targets.get(thread_id);
    if (target === undefined) continue;
    if (kind === "taken_up") take(target, entry);
    if (kind === "step_started" || (kind === "skill_step_started" && body["repeatable"] !== true)) begun.add(thread_id);
    if (kind === "reported" || kind === "held_back") giveBack(target, entry);
  }
  return breaches;
}
