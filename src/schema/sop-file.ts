// An SOP as a YAML file for review and version control. What is exported and imported again is the same procedure, and
// exporting that gives the same bytes.
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { type Document, parseDocument, stringify, visit } from "yaml";
import type { z } from "zod";
import { Intent, Target } from "../domain/contract.ts";
import { type FieldIssue, OrchError } from "../domain/errors.ts";
import { structuralIssue } from "../domain/json.ts";
import { type Sop, SopDefinition } from "../domain/sop.ts";
import { parseInput } from "./parse-input.ts";
import { yamlNumberIssue } from "./yaml-numbers.ts";

/** The file holds what defines the procedure; id, version, status and counters belong to the store it lives in. */
export const SopFile = SopDefinition.extend({ intent: Intent, target: Target });
export type SopFile = z.infer<typeof SopFile>;

export function writeSopFile({ intent, target, safety_level, preconditions, criteria, steps }: Sop | SopFile): string {
  const map = Array.isArray(criteria)
    ? Object.fromEntries(criteria.map(({ criterion, step_index }) => [criterion, step_index]))
    : criteria;
  const file = { intent, target, safety_level, preconditions, criteria: map ?? {}, steps };
  return stringify(file, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Rejects with `input_invalid`, naming every field that is wrong. */
export function readSopFile(text: string): SopFile {
  const document = parseDocument(text, { schema: "core", uniqueKeys: true });
  const [fault] = document.errors;
  if (fault !== undefined) throw invalid([{ path: "file", message: fault.message }]);
  const foreign = foreignTo(document);
  if (foreign !== null) throw invalid([{ path: "file", message: foreign }]);
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  const issue = yamlNumberIssue(document) ?? structuralIssue(value);
  if (issue !== null) throw invalid([issue]);
  const parsed = parseInput(SopFile, value);
  if (parsed.ok) return parsed.value;
  throw invalid(parsed.issues);
}

/** What YAML can say and an exported file never does; null when there is nothing of it. */
function foreignTo(document: Document): string | null {
  let found: string | null = null;
  visit(document, {
    Alias: () => {
      found = "must not use aliases; write the value out";
      return visit.BREAK;
    },
    Scalar: (_key, { value }) => {
      if (typeof value !== "string" || value.isWellFormed()) return undefined;
      found = "holds half of a surrogate pair; send whole characters";
      return visit.BREAK;
    },
  });
  return found;
}

const invalid = (issues: FieldIssue[]) => new OrchError("input_invalid", "This is not an SOP file.", { issues });

/** A unified diff of two versions; empty when they define the same procedure. */
export function diffOf(older: Sop, newer: Sop): string {
  const [before, after] = [writeSopFile(older), writeSopFile(newer)];
  if (before === after) return "";
  const names = [`version ${older.version}`, `version ${newer.version}`] as const;
  return createTwoFilesPatch(...names, before, after, undefined, undefined, { headerOptions: FILE_HEADERS_ONLY });
}
