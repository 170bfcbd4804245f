// YAML of a file that defines a procedure: one document, read as plain data.
import { type Document, parseDocument, visit } from "yaml";
import type { z } from "zod";
import { type FieldIssue, OrchError } from "../domain/errors.ts";
import { structuralIssue, textIssue, unstorable } from "../domain/json.ts";
import { parseInput } from "./parse-input.ts";
import { yamlNumberIssue } from "./yaml-numbers.ts";

/** Rejects with `input_invalid`, naming every field that is wrong. `kind`: what the file is, as in `an SOP file`. */
export function readYamlText<S extends z.ZodType>(text: string, schema: S, kind: string): z.output<S> {
  const invalid = (issues: FieldIssue[]) => new OrchError("input_invalid", `This is not ${kind}.`, { issues });
  const document = parseDocument(text, { schema: "core", uniqueKeys: true });
  const [fault] = document.errors;
  if (fault !== undefined) throw invalid([{ path: "file", message: fault.message }]);
  const foreign = foreignTo(document);
  if (foreign !== null) throw invalid([{ path: "file", message: foreign }]);
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  const issue = yamlNumberIssue(document) ?? structuralIssue(value) ?? textIssue(value, unstorable);
  if (issue !== null) throw invalid([issue]);
  const parsed = parseInput(schema, value);
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
