// What a run says of the version that it ran (D-200). A run that was never looked at says nothing for it and nothing against it.
import { READ_ONLY_INTENTS } from "./contract.ts";
import type { SopLevel } from "./sop.ts";
import type { Verdict } from "./verdict.ts";

export type RunProof = "proved" | "not_proved" | "not_possible";

type Check = Verdict["checks"][number];

/** Every criterion has to be proved; where a procedure names none, every check. */
export function runProof({ passed, checks }: Pick<Verdict, "passed" | "checks">, intent: string): RunProof {
  if (!passed) return "not_proved";
  const of_criteria = checks.filter(({ criterion }) => criterion !== null);
  const found = (of_criteria.length === 0 ? checks : of_criteria).map((check) => checkProof(check, intent));
  if (found.includes("not_proved")) return "not_proved";
  return found.includes("not_possible") ? "not_possible" : "proved";
}

/** Diagnostic work names no target as a rule: that its check depends on what it looks at is enough there. */
function checkProof({ proof }: Check, intent: string): RunProof {
  if (proof === undefined || proof.class === "not_possible") return "not_possible";
  if (proof.class === "sensitive" && READ_ONLY_INTENTS.has(intent)) return "proved";
  return proof.class === "proved" ? "proved" : "not_proved";
}

/** A copy of a procedure that was proved elsewhere counts as tried. */
export function levelAfter(run: RunProof | null, proved_on: string | null): SopLevel {
  if (run === "proved") return "proved";
  return run === null && proved_on === null ? "defined" : "tried";
}

const LEVELS: readonly SopLevel[] = ["defined", "tried", "proved"];

export const isBetterProved = (one: SopLevel, other: SopLevel): boolean => LEVELS.indexOf(one) > LEVELS.indexOf(other);
