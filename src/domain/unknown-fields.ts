// Judges the fields of a sent contract that orch does not know: one that is misplaced or misspelt is refused, and any other is kept.
import { z } from "zod";
import { SentContract, TaskContract } from "./contract.ts";
import type { FieldIssue } from "./errors.ts";
import { nearestName } from "./nearest-name.ts";
import { plainWord, printableJson } from "./printable.ts";
import { beginningOf } from "./verification.ts";

type Level = { readonly prefix: string; readonly names: readonly string[] };

const TOP: Level = { prefix: "", names: [...Object.keys(SentContract.shape), "wait_seconds"] };
const CONSTRAINTS: Level = { prefix: "constraints.", names: Object.keys(TaskContract.shape.constraints.shape) };
const LEVELS = [TOP, CONSTRAINTS];

const Fields = z.record(z.string(), z.unknown());

const MOST_ISSUES = 100;

/** What to send instead of each field that is known at the other level, or nearly spelled like a known one. */
export function misplacedFields(contract: unknown): FieldIssue[] {
  const { data: fields = {} } = Fields.safeParse(contract);
  const { data: constraints = {} } = Fields.safeParse(fields["constraints"]);
  return [...issuesAt(TOP, fields), ...issuesAt(CONSTRAINTS, constraints)].slice(0, MOST_ISSUES);
}

const issuesAt = (level: Level, fields: object): FieldIssue[] =>
  Object.keys(fields)
    .filter((name) => !level.names.includes(name))
    .flatMap((name) => {
      const meant = meantBy(name, level);
      const message = `is not a known field here; did you mean ${meant}?`;
      return meant === null ? [] : [{ path: `${level.prefix}${name}`, message }];
    });

const LONGEST = Math.max(...LEVELS.flatMap(({ names }) => names.map(({ length }) => length)));
const MAX_CHANGES = 2;
const SHORT = 4;

/** Neither capitals nor what joins the words of a name make it another name. */
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The path of the field that was meant; null where no known one is near. The level of the name itself comes first. */
function meantBy(name: string, level: Level): string | null {
  if (name.length > 2 * LONGEST) return null;
  const letters = lettersOf(name);
  const known = [level, ...LEVELS.filter((other) => other !== level)].flatMap(({ prefix, names }) =>
    names.map((one) => ({ letters: lettersOf(one), path: `${prefix}${one}` })),
  );
  const near = nearestName(
    letters,
    known.map((one) => one.letters),
    letters.length <= SHORT ? 1 : MAX_CHANGES,
  );
  return known.find((one) => one.letters === near)?.path ?? null;
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
