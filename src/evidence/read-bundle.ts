// Reads an evidence bundle that may come from anywhere. What it is given has to be what orch writes, to the last field:
// nothing that is missing is filled in, for then it would look as if it had been there.
import type { z } from "zod";
import type { FieldIssue } from "../domain/errors.ts";
import { EVENT_BODIES, type EventKind, type EventRecord, type JournalEvent } from "../domain/journal.ts";
import { MAX_DEPTH, structuralIssue } from "../domain/json.ts";
import { parseInput } from "../schema/parse-input.ts";
import { Evidence } from "./bundle.ts";
import { firstDifference } from "./readings.ts";

export type Bundle = { readonly evidence: Evidence; readonly journal: readonly JournalEvent[] };

type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: FieldIssue[] };

/** A contract as deep as one may be, inside an approval or a journal entry of the bundle. */
const BUNDLE_DEPTH = MAX_DEPTH + 16;

/** Every field that is wrong by its path, such as `journal.3.body.index`. */
export function readBundle(bundle: unknown): Reading<Bundle> {
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
