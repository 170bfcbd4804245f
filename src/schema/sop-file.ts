// An SOP as a YAML file for review and version control. What is exported and imported again is the same procedure, and
// exporting that gives the same bytes.
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { stringify } from "yaml";
import type { z } from "zod";
import { Intent } from "../domain/contract.ts";
import { type Sop, SopDefinition } from "../domain/sop.ts";
import { GivenTarget } from "../domain/target.ts";
import { readYamlText } from "./yaml-text.ts";

/** The file holds what defines the procedure; id, version, status and counters belong to the store it lives in. */
export const SopFile = SopDefinition.extend({ intent: Intent, target: GivenTarget });
export type SopFile = z.infer<typeof SopFile>;

export function writeSopFile({ intent, target, safety_level, preconditions, criteria, steps }: Sop | SopFile): string {
  const map = Array.isArray(criteria)
    ? Object.fromEntries(criteria.map(({ criterion, step_index }) => [criterion, step_index]))
    : criteria;
  const file = { intent, target, safety_level, preconditions, criteria: map ?? {}, steps };
  return stringify(file, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Rejects with `input_invalid`, naming every field that is wrong. */
export const readSopFile = (text: string): SopFile => readYamlText(text, SopFile, "an SOP file");

/** A unified diff of two versions; empty when they define the same procedure. */
export function diffOf(older: Sop, newer: Sop): string {
  const [before, after] = [writeSopFile(older), writeSopFile(newer)];
  if (before === after) return "";
  const names = [`version ${older.version}`, `version ${newer.version}`] as const;
  return createTwoFilesPatch(...names, before, after, undefined, undefined, { headerOptions: FILE_HEADERS_ONLY });
}
