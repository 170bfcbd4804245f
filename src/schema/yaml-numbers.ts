// Numbers in YAML that become other numbers when they are read, as jsonTextIssue finds them in JSON (D-228).
import { type Document, isPair, isScalar, isSeq, type Node, type Pair, visit } from "yaml";
import type { FieldIssue } from "../domain/errors.ts";
import { numberIssue } from "../domain/json-text.ts";

/** The first one, with its path as in `payload.steps.0`; null when there is none. */
export function yamlNumberIssue(document: Document): FieldIssue | null {
  let found: FieldIssue | null = null;
  visit(document, {
    Scalar: (_key, { value, source }, ancestors) => {
      const isNumber = typeof value === "number" && Number.isFinite(value) && source !== undefined;
      const message = isNumber ? numberIssue(source) : null;
      if (message === null) return undefined;
      found = { path: pathOf(ancestors), message };
      return visit.BREAK;
    },
  });
  return found;
}

type Ancestor = Document | Node | Pair;

const pathOf = (ancestors: readonly Ancestor[]): string =>
  ancestors
    .flatMap((one, at) => {
      if (isPair(one)) return [isScalar(one.key) ? String(one.key.value) : ""];
      return isSeq(one) ? [String(one.items.indexOf(ancestors[at + 1] ?? null))] : [];
    })
    .join(".");
