// Folds what is known of the result of a task from outside.
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import type { Fold } from "../../engine/tasks/fold.ts";

type VerificationState = {
  recorded: EventBody<"verification_recorded"> | null;
  /** Why the procedure that should have verified it gave no verdict. */
  missed: EventBody<"verification_missed"> | null;
};

function evolve(verification: VerificationState, event: JournalEvent): void {
  if (event.kind === "verification_recorded") verification.recorded = event.body;
  if (event.kind === "verification_missed") verification.missed = event.body;
}

export const VERIFICATION: Fold<VerificationState> = {
  initial: () => ({ recorded: null, missed: null }),
  evolve,
};
