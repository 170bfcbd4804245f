// What a one-line `awk` program prints over known text: fields and string literals, nothing else is followed.
import { optionValue, parseOptions } from "./options.ts";
import { inputOf } from "./redirects.ts";
import type { State } from "./state.ts";
import { alternatives, isOpen, UNKNOWN } from "./symbols.ts";

const SAME = /^\s*(1|\{\s*print\s*(\$0)?\s*;?\s*\})\s*$/;
const PROGRAM = /^\s*(BEGIN|END)?\s*\{\s*print\b([^;{}]*);?\s*\}\s*$/;
const ITEM = /^\s*(?:\$(\d{1,3}|NF)|"((?:[^"\\]|\\.)*)")\s*(,?)/;

type Item = { readonly text: (fields: readonly string[], line: string) => string; readonly after: string };

export function awkOutput(args: readonly string[], state: State): readonly string[] {
  const parsed = parseOptions(args, { short: "Ffv", long: [] }, false);
  const [program = "", ...files] = parsed.operands;
  if (SAME.test(program)) return inputOf(files, state);
  const [, when, list = ""] = PROGRAM.exec(program) ?? [];
  const items = PROGRAM.test(program) ? itemsOf(list) : null;
  if (items === null) return [UNKNOWN];
  if (when !== undefined) return [printed(items, [], "")];
  const separator = optionValue(parsed, "F");
  if (separator !== null && !/^[^\\[\].*+?^$(){}|]{1,8}$/.test(separator)) return [UNKNOWN];
  return alternatives(
    inputOf(files, state).map((text) => {
      if (isOpen(text)) return UNKNOWN;
      const lines = text.replace(/\n$/, "").split("\n");
      return lines
        .map((line) => printed(items, separator === null ? line.trim().split(/\s+/) : line.split(separator), line))
        .join("");
    }),
  );
}

function itemsOf(list: string): readonly Item[] | null {
  const items: Item[] = [];
  let rest = list;
  while (rest.trim() !== "") {
    const match = ITEM.exec(rest);
    if (match === null) return null;
    const [whole, field, literal, comma] = match;
    rest = rest.slice(whole.length);
    const after = comma === "," ? " " : "";
    if (literal !== undefined) items.push({ text: () => unescaped(literal), after });
    else if (field === "NF") items.push({ text: (fields) => fields.at(-1) ?? "", after });
    else items.push({ text: (fields, line) => (field === "0" ? line : (fields[Number(field) - 1] ?? "")), after });
  }
  return items.length === 0 ? [{ text: (_, line) => line, after: "" }] : items;
}

const unescaped = (literal: string): string => literal.replace(/\\n/g, "\n").replace(/\\(.)/g, "$1");

const printed = (items: readonly Item[], fields: readonly string[], line: string): string =>
  `${items.map(({ text, after }) => text(fields, line) + after).join("")}\n`;
