// Defines what a feature says of a journal that is verified. src/features/verify.ts lists the rules of the features.
import type { TaskContract } from "../../../domain/contract.ts";
import type { JournalEvent } from "../../../domain/journal.ts";
import type { Projection } from "../../tasks/projection.ts";
import type { Evidence } from "../bundle.ts";

export const PROMISE_RULES = ["chain", "approval", "verdict", "trial", "agent", "once", "scope", "blocked"] as const;
export type PromiseRule = (typeof PROMISE_RULES)[number];

/** The promise that is broken by it, and a sentence. */
export type Fault = { readonly rule: PromiseRule; readonly fault: string };

export type WholeJournal = { readonly events: readonly JournalEvent[]; readonly state: Projection };

/** What looks at one journal: at each entry, then at the journal as a whole, then at the other fields of the bundle. */
type Inspection = {
  readonly entry?: (event: JournalEvent, before: Projection) => Fault | null;
  readonly journal?: (journal: WholeJournal) => Fault[];
  /** Sentences: a field that differs from the journal breaks no promise. */
  readonly bundle?: (evidence: Evidence, journal: WholeJournal) => string[];
};

export type Rule = (contract: TaskContract) => Inspection;

const PATIENCE_MS = 600_000;

/** Whether the time in a record is that of its journal entry: the record's is taken a moment before, and a commit may wait for its turn. */
export const isNear = (one: string, other: string): boolean =>
  Math.abs(Date.parse(one) - Date.parse(other)) <= PATIENCE_MS;
