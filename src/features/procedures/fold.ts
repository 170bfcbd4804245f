// Folds what has become of the versions of a procedure, in the journal of a task or of a promotion.

import type { SetBack } from "../../domain/approval.ts";
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import type { SopProof } from "../../domain/sop.ts";
import type { Fold } from "../../engine/tasks/fold.ts";

type VersionsState = {
  changes: EventBody<"sop_changed">[];
  proof: SopProof | null;
  set_back: SetBack | null;
  /** The last message that the version of a promotion fails and stays in use. */
  failing: EventBody<"sop_failing"> | null;
};

function evolve(versions: VersionsState, event: JournalEvent): void {
  switch (event.kind) {
    case "sop_changed":
      versions.changes.push(event.body);
      break;
    case "sop_examined":
      versions.proof = event.body;
      break;
    case "sop_set_back":
      versions.set_back = event.body.set_back;
      break;
    case "sop_failing":
      versions.failing = event.body;
      break;
  }
}

export const VERSIONS: Fold<VersionsState> = {
  initial: () => ({ changes: [], proof: null, set_back: null, failing: null }),
  evolve,
};
