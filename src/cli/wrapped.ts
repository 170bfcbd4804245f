// Breaks text between words: prose and help for the terminal, and command lines so that they can still be pasted.
import stringWidth from "string-width";
import wrap from "wrap-ansi";

/** A word that is longer than the line stays whole, unless `hard`; no blank begins a further line or ends one. */
export const wrapped = (line: string, width: number, hard = false): string[] =>
  wrap(line, width, { hard, trim: false })
    .split("\n")
    .map((part, at) => (at === 0 ? part : part.trimStart()).trimEnd());

/** A command over several lines, each but the last ending in a backslash; what is in quotes stays whole. */
export function wrappedCommand(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  const lines: string[] = [];
  let open = indent;
  const words = line.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  for (const [at, word] of words.entries()) {
    const end = at === words.length - 1 ? "" : " \\";
    if (open.trim() !== "" && stringWidth(open + word + end) > width) {
      lines.push(`${open}\\`);
      open = `${indent}  `;
    }
    open += `${word} `;
  }
  return [...lines, open.trimEnd()];
}

const NARROWEST = 20;
const FURTHER = 4;

/** A help text for the terminal: the second column stays a column where it has room, and examples can still be pasted. */
export const fitHelp = (text: string, width: number): string =>
  text
    .split("\n")
    .flatMap((line) => {
      if (stringWidth(line) <= width) return [line];
      return /^ +orch (?!.* {2})/.test(line) ? wrappedCommand(line, width) : fitLine(line, width);
    })
    .join("\n");

function fitLine(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  const column = /^ *\S.*? {2,}(?=\S)/.exec(line)?.[0].length ?? 0;
  const isColumn = column > 0 && width - column >= NARROWEST;
  const begin = isColumn ? column : indent;
  const margin = isColumn || indent === 0 ? begin : indent + FURTHER;
  const [first = "", ...more] = wrapped(line.slice(begin), width - margin, true);
  return [line.slice(0, begin) + first, ...more.map((part) => " ".repeat(margin) + part)];
}
