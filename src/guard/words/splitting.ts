// How a shell splits text at IFS: blanks of it in a row are one separator, and each other character of it is one.
import { isUnknown, UNKNOWN } from "./symbols.ts";

type Separators = { readonly all: RegExp; readonly leading: RegExp; readonly trailing: RegExp; readonly hard: RegExp };

const NEVER = /(?!)/;
const held = new Map<string, Separators>();
const MAX_HELD = 32;

/** What separates for these characters: anywhere, blanks at the start and at the end, and a start that ends an empty field. */
function separatorsOf(ifs: string): Separators {
  const known = held.get(ifs);
  if (known !== undefined) return known;
  const set = (characters: string): string =>
    characters === "" ? "(?!)" : `[${characters.replace(/[\\\]^-]/g, "\\$&")}]`;
  const blank = set(ifs.replace(/[^ \t\n]/g, ""));
  const other = set(ifs.replace(/[ \t\n]/g, ""));
  const separators =
    ifs === ""
      ? { all: NEVER, leading: NEVER, trailing: NEVER, hard: NEVER }
      : {
          all: new RegExp(`(?:${blank})*${other}(?:${blank})*|(?:${blank})+`),
          leading: new RegExp(`^(?:${blank})+`),
          trailing: new RegExp(`(?:${blank})+$`),
          hard: new RegExp(`^(?:${blank})*${other}`),
        };
  if (held.size < MAX_HELD) held.set(ifs, separators);
  return separators;
}

/** An empty text at either end says that the text begins or ends with a separator. */
export function splitAt(text: string, ifs: string): readonly string[] {
  return ifs === "" || text === "" ? [text] : text.split(separatorsOf(ifs).all);
}

/** Whether the first separator ends a field, although nothing is before it. */
export const startsWithField = (text: string, ifs: string): boolean => separatorsOf(ifs).hard.test(text);

/** The fields of a line that `read` gives to so many names. The last one is the rest of the line, separators and all. */
export function fieldsOfLine(line: string, ifs: string, count: number): readonly string[] {
  const { all, leading, trailing } = separatorsOf(ifs);
  let rest = line.replace(leading, "");
  const fields: string[] = [];
  while (fields.length < count - 1) {
    const match = all.exec(rest);
    const field = rest.slice(0, match?.index);
    fields.push(field);
    // A separator may be in what is not known, and then anything follows it.
    rest = isUnknown(field) ? UNKNOWN : match === null ? "" : rest.slice(match.index + match[0].length);
  }
  const whole = rest.replace(trailing, "");
  const [only = "", after, ...others] = whole.split(all);
  return [...fields, after === "" && others.length === 0 ? only : whole];
}
