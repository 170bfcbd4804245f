// A procedure as the YAML text that a person writes: read with the place of every field, and written as a text to begin with.
import { type Document, isMap, isNode, isScalar, isSeq, type Node, parseDocument, stringify, visit } from "yaml";

type TextRange = { readonly from: number; readonly to: number };
export type TextFault = TextRange & { readonly message: string };

export type ProcedureText = {
  readonly text: string;
  /** What makes it no procedure at all. */
  readonly faults: readonly TextFault[];
  /** Its fields; null while it cannot be read. */
  readonly fields: Readonly<Record<string, unknown>> | null;
  /** Where a field is, as issues name it: `steps.0.value`. Of one that is missing, where its owner is. */
  readonly rangeOf: (path: string) => TextRange;
};

const FIELDS = ["intent", "target", "safety_level", "preconditions", "criteria", "steps"];

export function readProcedure(text: string): ProcedureText {
  const document = parseDocument(text, { schema: "core", uniqueKeys: true });
  const rangeOf = (path: string) => firstLine(text, placeOf(document, path));
  const wrong = (range: TextRange, message: string): ProcedureText => ({
    text,
    fields: null,
    rangeOf,
    faults: [{ ...range, message }],
  });
  const [fault] = document.errors;
  if (fault !== undefined)
    return wrong(
      seen(text, firstLine(text, { from: fault.pos[0], to: fault.pos[1] })),
      fault.message.split("\n")[0] ?? "",
    );
  const alias = aliasIn(document);
  if (alias !== null) return wrong(alias, "must not use aliases; write the value out");
  if (!isMap(document.contents)) return wrong(firstLine(text, { from: 0, to: text.length }), "needs the field steps");
  const fields: Record<string, unknown> = document.toJS({ maxAliasCount: 0 });
  const unknown = Object.keys(fields).filter((field) => !FIELDS.includes(field));
  const faults = unknown.map((field) => ({
    ...rangeOf(field),
    message: `"${field}" is not a field of a procedure; it has ${FIELDS.join(", ")}`,
  }));
  return { text, fields, faults, rangeOf };
}

function aliasIn(document: Document): TextRange | null {
  let alias: TextRange | null = null;
  visit(document, {
    Alias: (_key, { range }) => {
      alias = { from: range?.[0] ?? 0, to: range?.[1] ?? 0 };
      return visit.BREAK;
    },
  });
  return alias;
}

/** The deepest node that the path leads to. A key may have dots in it, so the longest one that is there is taken. */
function placeOf({ contents }: Document, path: string): TextRange {
  let node: Node | null = contents;
  let place = spanOf(node);
  for (let rest = path === "" ? [] : path.split("."); node !== null && rest.length > 0; ) {
    const next: FieldPlace | null = isSeq(node)
      ? itemAt(node.items, rest)
      : isMap(node)
        ? pairAt(node.items, rest)
        : null;
    if (next === null) return place;
    ({ node, place, rest } = next);
  }
  return place;
}

type FieldPlace = { readonly node: Node | null; readonly place: TextRange; readonly rest: string[] };

function itemAt(items: readonly unknown[], [first, ...rest]: readonly string[]): FieldPlace | null {
  const item = items[Number(first)];
  return isNode(item) ? { node: item, place: spanOf(item), rest } : null;
}

function pairAt(pairs: readonly { key: unknown; value: unknown }[], path: readonly string[]): FieldPlace | null {
  for (let length = path.length; length > 0; length--) {
    const name = path.slice(0, length).join(".");
    const pair = pairs.find(({ key }) => isScalar(key) && String(key.value) === name);
    if (pair === undefined || !isNode(pair.key)) continue;
    const value = isNode(pair.value) ? pair.value : null;
    const own = value === null ? spanOf(pair.key) : spanOf(value);
    // A value that is not written has no length: its name is marked.
    const place = own.from === own.to ? spanOf(pair.key) : own;
    return { node: value, place, rest: path.slice(length) };
  }
  return null;
}

const spanOf = (node: Node | null): TextRange => ({ from: node?.range?.[0] ?? 0, to: node?.range?.[1] ?? 0 });

/** Marks are of one line: a step of many lines would be one large mark. */
function firstLine(text: string, { from, to }: TextRange): TextRange {
  const start = Math.min(from, text.length);
  const end = Math.min(Math.max(to, start), text.length);
  const block = /^[|>][^\n]*\n\s*/.exec(text.slice(start, end));
  const begin = block === null ? start : start + block[0].length;
  const line = text.indexOf("\n", begin);
  return { from: begin, to: line === -1 ? end : Math.min(end, line) };
}

/** What is missing at the end has no length: the last character before it is marked. */
function seen(text: string, range: TextRange): TextRange {
  if (range.from < range.to) return range;
  const to = text.slice(0, range.to).trimEnd().length;
  return { from: Math.max(0, to - 1), to };
}

/** Comments first, each on a line of its own. */
export function writeProcedure(fields: object, comments: readonly string[] = []): string {
  const remarks = comments.map((line) => `# ${line.replace(/\p{C}/gu, "?")}\n`).join("");
  return `${remarks}${stringify(fields, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

// What is said of a place in a text.

export type Mark = {
  readonly from: number;
  readonly to: number;
  readonly severity: "error" | "warning";
  readonly message: string;
};

/** Moves the cursor to a place, and shows it. */
export type GoTo = (at: number) => void;
