// Checks an evidence bundle without a server and without trusting it: reads it, computes the hash chain again and compares
// every other field with the value derived from the journal. The chain reveals a change in its middle. It reveals neither a
// journal that was rewritten as a whole, nor a missing end that no field of the bundle mentions.
import type { z } from "zod";
import type { EvidenceAnchor, Restore } from "../../../domain/anchor.ts";
import { contractDigest } from "../../../domain/contract.ts";
import type { FieldIssue } from "../../../domain/errors.ts";
import {
  brokenLink,
  EVENT_BODIES,
  type EventKind,
  type EventRecord,
  type JournalEvent,
} from "../../../domain/journal.ts";
import { MAX_DEPTH, structuralIssue } from "../../../domain/json.ts";
import { hasEnded } from "../../../domain/outcome.ts";
import { parseInput } from "../../../schema/parse-input.ts";
import { Evidence, firstDifference, readings } from "../bundle.ts";
import { type JournalWalk, walk } from "./walk.ts";

/**
 * `faults` are sentences that name a field or a journal entry; there are none if the bundle is valid. `events` counts the
 * entries. `last_hash` covers all of them: a copy of it that was noted earlier reveals even a rewritten journal.
 */
type Verified = {
  readonly faults: string[];
  readonly events: number;
  readonly last_hash: string | null;
  readonly anchors: readonly EvidenceAnchor[];
  /** As the bundle says itself: nothing in it proves them. */
  readonly restores: readonly Restore[];
};

/** `bundle` is the result of get_evidence, parsed from JSON. Never throws. */
export function verifyBundle(bundle: unknown): Verified {
  const read = readBundle(bundle);
  if (!read.ok) {
    const faults = read.issues.map(({ path, message }) => `${path === "" ? "The bundle" : path} ${message}.`);
    return { faults, events: entriesIn(bundle), last_hash: null, anchors: [], restores: [] };
  }
  const { evidence, journal } = read.value;
  const walked = walk(journal, evidence.contract);
  const faults = [
    ...chainFaults(read.value),
    ...endFaults(evidence, walked),
    ...differences(read.value, walked),
    ...[...walked.order_faults, ...walked.start_faults, ...walked.journal_faults].map(({ fault }) => fault),
    ...walked.bundleFaults(evidence),
  ];
  const last_hash = journal.at(-1)?.hash ?? null;
  const { anchors = [], restores = [] } = evidence;
  return { faults, events: journal.length, last_hash, anchors, restores };
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

/** Compares the other fields of the bundle with the values derived from the journal. */
function differences({ evidence, journal }: Bundle, { current, state }: JournalWalk): string[] {
  const [first] = journal;
  if (first?.kind !== "task_accepted") return ["journal entry 1 is not the acceptance of a task."];
  const { contract, contract_digest } = first.body;
  const given = {
    task_id: contract.task_id,
    contract,
    contract_digest,
    ...current,
    ...readings(state, evidence.bundle_version),
    broken_link: brokenLink(journal),
  };
  const fields = new Map<string, unknown>(Object.entries(evidence));
  const faults = Object.entries(given).flatMap(([field, value]) => {
    const path = firstDifference(fields.get(field), value);
    return path === null ? [] : [`${path === "" ? field : `${field}.${path}`} is not what the journal gives.`];
  });
  const isDigest = contract_digest === contractDigest(contract);
  return isDigest ? faults : ["journal entry 1 has a contract_digest that is not that of its contract.", ...faults];
}

function endFaults({ status }: Evidence, { has_end, late }: JournalWalk): string[] {
  if (!has_end) {
    const isCut = hasEnded(status);
    return isCut ? ["status says that the task has ended, but no journal entry does: the end is missing."] : [];
  }
  return late === null ? [] : [`journal entry ${late} comes after the end of the task.`];
}

// Reads an evidence bundle that may come from anywhere. What it is given has to be what orch writes, to the last field:
// nothing that is missing is filled in, for then it would look as if it had been there.

type Bundle = { readonly evidence: Evidence; readonly journal: readonly JournalEvent[] };

type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: FieldIssue[] };

/** A contract as deep as one may be, inside an approval or a journal entry of the bundle. */
const BUNDLE_DEPTH = MAX_DEPTH + 16;

/** Every field that is wrong by its path, such as `journal.3.body.index`. */
function readBundle(bundle: unknown): Reading<Bundle> {
  const issue = structuralIssue(bundle, BUNDLE_DEPTH);
  if (issue !== null) return { ok: false, issues: [issue] };
  const read = asWritten(Evidence, bundle);
  if (!read.ok) return read;
  const entries = read.value.journal.map(readEntry);
  const issues = entries.flatMap((entry) => (entry.ok ? [] : entry.issues));
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, value: { evidence: read.value, journal: entries.flatMap((e) => (e.ok ? [e.value] : [])) } };
}

function readEntry(entry: z.infer<typeof EventRecord>, position: number): Reading<JournalEvent> {
  const path = `journal.${position}`;
  const { kind } = entry;
  if (!isEventKind(kind)) {
    return { ok: false, issues: [{ path: `${path}.kind`, message: "is no kind of entry that this version knows" }] };
  }
  const body = asWritten<z.ZodType>(EVENT_BODIES[kind], entry.body, `${path}.body`);
  // The body was parsed with the schema of this very kind, a relation that the type of the table cannot carry.
  return body.ok ? { ok: true, value: { ...entry, kind, body: body.value } as JournalEvent } : body;
}

const isEventKind = (kind: string): kind is EventKind => Object.hasOwn(EVENT_BODIES, kind);

function asWritten<S extends z.ZodType>(schema: S, written: unknown, at = ""): Reading<z.output<S>> {
  const below = (path: string) => [at, path].filter((part) => part !== "").join(".");
  const parsed = parseInput(schema, written);
  if (!parsed.ok) return { ok: false, issues: parsed.issues.map((issue) => ({ ...issue, path: below(issue.path) })) };
  const changed = firstDifference(written, parsed.value);
  if (changed === null) return { ok: true, value: parsed.value };
  return { ok: false, issues: [{ path: below(changed), message: "is missing, or not as orch writes it" }] };
}
