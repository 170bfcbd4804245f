// The promises that a journal shows to be broken, by the same rules as `orch evidence --verify`, without a bundle: what the
// scorecard counts [8.target.T2].
import { brokenLink, type JournalEvent } from "../../domain/journal.ts";
import { agentFaults } from "./agent.ts";
import { doubtfulRepeats } from "./doubtful-repeats.ts";
import { outcomeFaults } from "./outcome.ts";
import { askedFaults, verdictFaults } from "./plan.ts";
import { trialFaults } from "./trial.ts";
import { type JournalWalk, walk } from "./walk.ts";

export const PROMISE_RULES = ["chain", "approval", "verdict", "trial", "agent", "once", "scope", "blocked"] as const;
type PromiseRule = (typeof PROMISE_RULES)[number];

/** The rule of each broken promise, one for each fault. */
export function brokenPromises(journal: readonly JournalEvent[]): PromiseRule[] {
  const [first] = journal;
  if (first?.kind !== "task_accepted") return ["chain"];
  const { contract } = first.body;
  const walked = walk(journal, contract);
  const faults: readonly (readonly [rule: PromiseRule, faults: readonly unknown[]])[] = [
    ["chain", [brokenLink(journal), walked.late].filter((seq) => seq !== null)],
    ["approval", [...walked.order_faults, ...askedFaults(walked)]],
    ["verdict", [...verdictFaults(walked), ...outcomeFaults(walked)]],
    ["trial", trialFaults(walked)],
    ["agent", agentFaults({ contract }, walked)],
    ["once", doubtfulRepeats(journal)],
  ];
  return [...faults.flatMap(([rule, found]) => found.map(() => rule)), ...startRules(walked)];
}

const startRules = ({ start_faults }: JournalWalk): PromiseRule[] => start_faults.map(({ rule }) => rule);
