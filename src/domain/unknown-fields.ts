// Judges the fields of a sent contract that orch does not know: one that is misplaced or misspelt is refused, and any other is kept.
import { z } from "zod";
import { SentContract, TaskContract } from "./contract.ts";
import type { FieldIssue } from "./errors.ts";
import { plainWord, printableJson } from "./printable.ts";
import { beginningOf } from "./verification.ts";

/** Neither capitals nor what joins the words of a name make it another name. */
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

const PREFIX = "constraints.";
const TOP = [...Object.keys(SentContract.shape), "wait_seconds"];
const CONSTRAINTS = Object.keys(TaskContract.shape.constraints.shape);
const PATHS = [...TOP, ...CONSTRAINTS.map((name) => `${PREFIX}${name}`)];
/** The path of each known field by the letters of its name, which no two fields share, and by those of its path. */
const BY_LETTERS = new Map(
  PATHS.flatMap((path) => [path, path.replace(PREFIX, "")].map((name) => [lettersOf(name), path])),
);

/** The shortest first. */
const KNOWN_LETTERS = [...BY_LETTERS.keys()].toSorted((a, b) => a.length - b.length);

/** Other names that are written for a field. They are not near enough to its own. */
for (const name of ["approval_required_for", "approval_required", "requires_approval"])
  BY_LETTERS.set(lettersOf(name), `${PREFIX}require_approval_for`);

const Fields = z.record(z.string(), z.unknown());

const MOST_ISSUES = 100;

/** What to send instead of each field that is known at the other level, or nearly spelled like a known one. */
export function misplacedFields(contract: unknown): FieldIssue[] {
  const { data: fields = {} } = Fields.safeParse(contract);
  const { data: constraints = {} } = Fields.safeParse(fields["constraints"]);
  return [...issuesIn(fields, TOP, ""), ...issuesIn(constraints, CONSTRAINTS, PREFIX)].slice(0, MOST_ISSUES);
}

const issuesIn = (fields: object, known: readonly string[], prefix: string): FieldIssue[] =>
  Object.keys(fields)
    .filter((name) => !known.includes(name))
    .flatMap((name, at) => {
      const letters = name.length > LONGEST_NAME ? "" : lettersOf(name);
      const meant = BY_LETTERS.get(letters) ?? (at < MOST_COMPARED ? nearTo(letters) : null);
      const issue = { path: `${prefix}${name}`, message: `is not a known field here; did you mean ${meant}?` };
      return meant === null ? wishesIn(Reflect.get(fields, name), `${prefix}${name}`, at) : [issue];
    });

/** What a contract orders for its approvals, within a record that orch does not know: its author would believe that it counts. */
function wishesIn(value: unknown, path: string, at: number): FieldIssue[] {
  const { data: fields } = Fields.safeParse(value);
  if (fields === undefined || at >= MOST_COMPARED) return [];
  return Object.entries(fields).flatMap(([name, held]) => {
    if (CONSTRAINTS.includes(name))
      return [{ path: `${path}.${name}`, message: `is not a known field here; did you mean ${PREFIX}${name}?` }];
    return name === "constraints" ? wishesIn(held, `${path}.${name}`, at) : [];
  });
}

const LONGEST_NAME = 64;
/** Comparing takes time, and a body has room for many names. */
const MOST_COMPARED = 1_000;
const MAX_CHANGES = 2;
/** So many letters that begin the name of a known field mean that field. */
const LEAST_BEGINNING = 8;
const SHORT = 4;

/** The path of the field with nearly these letters; null where none has. */
function nearTo(letters: string): string | null {
  const begun = letters.length < LEAST_BEGINNING ? undefined : KNOWN_LETTERS.find((known) => known.startsWith(letters));
  if (begun !== undefined) return BY_LETTERS.get(begun) ?? null;
  const near = nearestName(letters, KNOWN_LETTERS, letters.length <= SHORT ? 1 : MAX_CHANGES);
  return near === null ? null : (BY_LETTERS.get(near) ?? null);
}

const MOST_NAMED = 10;
const LONGEST_NAMED = 40;

export const Ignored = z
  .string()
  .describe("fields of the contract that orch does not know, as in: kept, and without effect: note");

/** Names the fields that orch stores and does not interpret; null where there is none. */
export function ignoredFields(contract: TaskContract): string | null {
  // Sorted as they are stored.
  const names = Object.keys(contract)
    .filter((name) => !Object.hasOwn(TaskContract.shape, name))
    .sort();
  if (names.length === 0) return null;
  const more = names.length > MOST_NAMED ? `, and ${names.length - MOST_NAMED} more` : "";
  return `kept, and without effect: ${names.slice(0, MOST_NAMED).map(shownName).join(", ")}${more}`;
}

function shownName(name: string): string {
  const shown = name.length > LONGEST_NAMED ? `${beginningOf(name, LONGEST_NAMED)}…` : name;
  return plainWord(shown, printableJson(shown));
}

// Finds the known name that a misspelt one is closest to.

/** Null when every known name needs more than `max_changes` changes. */
export function nearestName(name: string, known: readonly string[], max_changes: number): string | null {
  const ranked = known
    .filter((candidate) => Math.abs(candidate.length - name.length) <= max_changes)
    .map((candidate) => ({ candidate, changes: changesBetween(name, candidate) }));
  const [nearest] = ranked.sort((a, b) => a.changes - b.changes);
  return nearest !== undefined && nearest.changes <= max_changes ? nearest.candidate : null;
}

/** How many letters are added, left out, replaced, or swapped with the next one. It is computed row by row. */
function changesBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++) {
      const kept = (row[at] ?? 0) + (from[index] === to[at] ? 0 : 1);
      const isSwapped = at > 0 && index > 0 && from[index] === to[at - 1] && from[index - 1] === to[at];
      const swapped = isSwapped ? (before[at - 1] ?? 0) + 1 : kept;
      next.push(Math.min(kept, swapped, (next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
