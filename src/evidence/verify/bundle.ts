// Checks an evidence bundle without a server and without believing it: the journal's chain is computed again, and what else
// the bundle says is compared with what the journal gives (spec section 1: evidence is recorded). A chain shows a change in
// its middle. It cannot show that someone wrote all of it anew, nor the loss of an end that nothing in the bundle tells of.
import { contractDigest } from "../../domain/contract.ts";
import { brokenLink, type JournalEvent } from "../../domain/journal.ts";
import { hasEnded, type Outcome, type TaskStatus } from "../../domain/outcome.ts";
import type { Evidence } from "../bundle.ts";
import { firstDifference } from "../first-difference.ts";
import { type Bundle, readBundle } from "../read-bundle.ts";
import { readings } from "../readings.ts";
import { agentFaults } from "./agent.ts";
import { approvalFaults } from "./approvals.ts";
import { orderFaults } from "./order.ts";
import { planFaults } from "./plan.ts";
import { isNear } from "./times.ts";

/**
 * `faults` are sentences that name a field or a journal entry, none when the bundle holds; `events` counts the entries.
 * `last_hash` stands for all of them: who noted it down finds out even a journal that was written anew.
 */
type Verified = { readonly faults: string[]; readonly events: number; readonly last_hash: string | null };

/** `bundle` is what get_evidence gave, as parsed from JSON. Never throws. */
export function verifyBundle(bundle: unknown): Verified {
  const read = readBundle(bundle);
  if (!read.ok) {
    const faults = read.issues.map(({ path, message }) => `${path === "" ? "The bundle" : path} ${message}.`);
    return { faults, events: entriesIn(bundle), last_hash: null };
  }
  const { evidence, journal } = read.value;
  const faults = [
    ...chainFaults(read.value),
    ...endFaults(evidence, journal),
    ...differences(evidence, journal),
    ...orderFaults(journal),
    ...planFaults(journal),
    ...agentFaults(evidence, journal),
    ...approvalFaults(evidence, journal),
    ...verificationFaults(evidence, journal),
  ];
  return { faults, events: journal.length, last_hash: journal.at(-1)?.hash ?? null };
}

function entriesIn(bundle: unknown): number {
  const journal = typeof bundle === "object" && bundle !== null && "journal" in bundle ? bundle.journal : null;
  return Array.isArray(journal) ? journal.length : 0;
}

function chainFaults({ evidence, journal }: Bundle): string[] {
  const stranger = journal.findIndex(({ thread_id }) => thread_id !== evidence.task_id);
  const faults = stranger === -1 ? [] : [`journal entry ${stranger + 1} belongs to another thread than task_id says.`];
  const displaced = journal.findIndex(({ seq }, position) => seq !== position + 1);
  if (displaced !== -1) {
    return [
      ...faults,
      `journal entry ${displaced + 1} does not have that seq: entries are missing, added or out of order.`,
    ];
  }
  const broken = brokenLink(journal);
  if (broken === null) return faults;
  return [
    ...faults,
    `journal entry ${broken} was changed or does not follow from the one before it: the chain breaks.`,
  ];
}

/** What the bundle says beside the journal, against the same read from the journal. */
function differences(evidence: Evidence, journal: readonly JournalEvent[]): string[] {
  const [first] = journal;
  if (first?.kind !== "task_accepted") return ["journal entry 1 is not the acceptance of a task."];
  const { contract, contract_digest } = first.body;
  const given = {
    task_id: contract.task_id,
    contract,
    contract_digest,
    ...standingAfter(journal),
    ...readings(journal),
    broken_link: brokenLink(journal),
  };
  const said = new Map<string, unknown>(Object.entries(evidence));
  const faults = Object.entries(given).flatMap(([field, value]) => {
    const path = firstDifference(said.get(field), value);
    return path === null ? [] : [`${path === "" ? field : `${field}.${path}`} is not what the journal gives.`];
  });
  const isDigest = contract_digest === contractDigest(contract);
  return isDigest ? faults : ["journal entry 1 has a contract_digest that is not that of its contract.", ...faults];
}

/** Every answer lets the task run again, and every report is where it stopped or ended. */
function standingAfter(journal: readonly JournalEvent[]): { status: TaskStatus; outcome: Outcome | null } {
  const told = journal.findLast(({ kind }) => MOVES.has(kind));
  if (told?.kind === "reported") return { status: told.body.status, outcome: told.body };
  return { status: told === undefined ? "accepted" : "running", outcome: null };
}

const MOVES: ReadonlySet<JournalEvent["kind"]> = new Set([
  "taken_up",
  "taught",
  "approval_decided",
  "step_resolved",
  "reported",
]);

function verificationFaults({ verification }: Evidence, journal: readonly JournalEvent[]): string[] {
  const recorded = journal.findLast((event) => event.kind === "verification_recorded");
  const { recorded_at, ...said } = verification ?? { recorded_at: null };
  const path = firstDifference(verification === null ? null : said, recorded?.body ?? null);
  if (path !== null) return [`${path === "" ? "verification" : `verification.${path}`} is not what the journal gives.`];
  if (recorded === undefined || recorded_at === null || isNear(recorded_at, recorded.at)) return [];
  return ["verification.recorded_at is not when the journal recorded it."];
}

/** What may still be written once a task has ended: a cancellation that came too late, and the supervisor's own check. */
const AFTER_THE_END: ReadonlySet<JournalEvent["kind"]> = new Set(["cancel_requested", "verification_recorded"]);

function endFaults({ status }: Evidence, journal: readonly JournalEvent[]): string[] {
  const end = journal.findIndex((event) => event.kind === "reported" && hasEnded(event.body.status));
  if (end === -1) {
    const isCut = hasEnded(status);
    return isCut ? ["status says that the task has ended, but no journal entry does: the end is missing."] : [];
  }
  const late = journal.findIndex(({ kind }, position) => position > end && !AFTER_THE_END.has(kind));
  return late === -1 ? [] : [`journal entry ${late + 1} comes after the end of the task.`];
}
