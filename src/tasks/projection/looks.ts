// Folds what the looks say of the checks of a task [3.rule.3]: before the change, and away from the task (D-193).
import type { JournalEvent } from "../../domain/journal.ts";
import { type BeforeLook, type CheckProof, type Examination, proofOf } from "../../domain/proof.ts";
import type { ReadOnly } from "./steps.ts";

/** By the index of the step, or of the call of an agent. */
export type ProofState = {
  /** Null until the checks have been looked at before the change. */
  before: Map<number, BeforeLook> | null;
  examinations: Map<number, Examination>;
};
type ProofProjection = ReadOnly<ProofState>;

export const noProof = (): ProofState => ({ before: null, examinations: new Map() });

export function evolveProof(proof: ProofState, event: JournalEvent): void {
  switch (event.kind) {
    case "checks_looked_at":
      proof.before = new Map(event.body.looks.map((look) => [look.step_index, look]));
      break;
    case "checks_examined":
      for (const { step_index, ...examination } of event.body.checks) proof.examinations.set(step_index, examination);
      break;
  }
}

/** Undefined for a check that was not examined, as in journals from before there were examinations. */
export function proofAt({ before, examinations }: ProofProjection, step_index: number): CheckProof | undefined {
  const examination = examinations.get(step_index);
  return examination && proofOf(examination, before?.get(step_index) ?? null);
}
