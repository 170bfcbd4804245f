// `sed` scripts that only substitute or transliterate: `s/a/b/g`, `y/abc/xyz/`, several of them separated by `;`.
import { endsOf, patternOf } from "../words/glob.ts";
import { type PlainRegex, plainRegex } from "../words/regex.ts";

type LineEdit = (line: string) => string;

const MAX_EDITS = 16;

/** The edits of the script in order; null for a script that does anything else. */
export function sedEdits(script: string, extended: boolean): readonly LineEdit[] | null {
  const edits: LineEdit[] = [];
  let rest = script.trim();
  while (rest !== "") {
    const command = rest.charAt(0);
    const fields = (command === "s" || command === "y") && edits.length < MAX_EDITS ? fieldsOf(rest) : null;
    const edit = fields === null ? null : command === "y" ? transliterate(fields) : substitute(fields, extended);
    if (fields === null || edit === null) return null;
    edits.push(edit);
    rest = fields.rest;
  }
  return edits;
}

type FieldsOf = { readonly from: string; readonly to: string; readonly flags: string; readonly rest: string };

function fieldsOf(script: string): FieldsOf | null {
  const delimiter = script.charAt(1);
  const parts = [""];
  let at = 2;
  for (; at < script.length && parts.length < 3; at += 1) {
    const char = script.charAt(at);
    if (char === "\\" && script.charAt(at + 1) === delimiter) parts.push((parts.pop() ?? "") + delimiter);
    else if (char === "\\") parts.push(`${parts.pop() ?? ""}${char}${script.charAt(at + 1)}`);
    if (char === "\\") at += 1;
    else if (char === delimiter) parts.push("");
    else parts.push((parts.pop() ?? "") + char);
  }
  const [from, to] = parts;
  if (parts.length < 3 || from === undefined || to === undefined) return null;
  const flags = /^[a-zA-Z0-9]*/.exec(script.slice(at))?.[0] ?? "";
  const after = script.slice(at + flags.length).trimStart();
  if (after !== "" && !/^[;\n]/.test(after)) return null;
  return { from, to, flags, rest: after.slice(1).trim() };
}

function transliterate({ from, to, flags }: FieldsOf): LineEdit | null {
  if (flags !== "" || /\\/.test(from + to)) return null;
  return (line) => [...line].map((char) => to.charAt(from.indexOf(char)) || char).join("");
}

function substitute({ from, to, flags }: FieldsOf, extended: boolean): LineEdit | null {
  const regex = plainRegex(from, extended);
  if (regex === null || !/^[gpe]*$/.test(flags) || /\\[^&\\/]/.test(to)) return null;
  return (line) => replaced(line, regex, to, flags.includes("g"));
}

function replaced(line: string, { pattern, atStart, atEnd }: PlainRegex, to: string, all: boolean): string {
  if (pattern === "") return atStart ? to + line : atEnd ? line + to : line;
  const ready = patternOf(pattern);
  let result = "";
  for (let at = 0; at < line.length; ) {
    const ends = at > 0 && atStart ? [] : endsOf(ready, line, at, true);
    const end = atEnd ? ends.find((found) => found === line.length) : ends.findLast((found) => found > at);
    if (end === undefined || end === at) {
      result += line.charAt(at);
      at += 1;
      continue;
    }
    result += replacement(to, line.slice(at, end));
    if (!all) return result + line.slice(end);
    at = end;
  }
  return result;
}

/** `&` is the matched text. */
const replacement = (to: string, found: string): string =>
  to.replace(/\\([\s\S])|&/g, (_, escaped?: string) => escaped ?? found);
