// `grep`: the lines that match a plain pattern.
import type { Program } from "../interpreter/machine.ts";
import { endsOf, patternOf } from "../words/glob.ts";
import { has, optionValue } from "../words/options.ts";
import { type PlainRegex, plainRegex } from "../words/regex.ts";
import { hasGlob, SOME } from "../words/symbols.ts";
import { ended, filter, lines, patternFirst, type TextEdit, valued } from "./filter.ts";
import { options, type ProgramRecord } from "./record.ts";

const MAX_LINE = 512;

function isMatch({ pattern, atStart, atEnd }: PlainRegex, line: string): boolean {
  const ready = patternOf(pattern);
  for (let from = 0; from <= (atStart ? 0 : line.length); from += 1) {
    const ends = endsOf(ready, line, from, true);
    if (atEnd ? ends.at(-1) === line.length : ends.length > 0) return true;
  }
  return false;
}

const matchingLines: TextEdit = (text, parsed) => {
  const source = optionValue(parsed, "e", "regexp") ?? parsed.operands[0] ?? "";
  const fixed = has(parsed, "F", "fixed-strings");
  const regex = fixed ? { pattern: source, atStart: false, atEnd: false } : plainRegex(source, has(parsed, "E"));
  const plain = parsed.options.every(({ name }) => /^[eEFvahs]$/.test(name));
  if (hasGlob(text)) return text;
  if (regex === null || !plain || lines(text).some((line) => line.length > MAX_LINE)) return null;
  return ended(lines(text).filter((line) => isMatch(regex, line) !== has(parsed, "v")));
};

/** `grep -c` prints a number for any input. */
const runGrep: Program = (argv, state, machine) =>
  argv.slice(1).some((arg) => /^-\w*c\w*$|^--count$/.test(arg))
    ? [SOME]
    : filter(matchingLines, valued("efmABC", "regexp"), patternFirst, true)(argv, state, machine);

const searchEffect = options({ unsure: "pre", valued: "e f g t A B C m" });

export const GREP: readonly ProgramRecord[] = [
  { names: "grep", runs: runGrep, effect: "reads", takesData: true },
  { names: "egrep fgrep", runs: runGrep, effect: "reads" },
  { names: "zgrep zegrep zfgrep bzgrep xzgrep", effect: "reads" },
  { names: "rg", prints: "anything", effect: searchEffect, takesData: true },
  { names: "ag", prints: "anything", effect: searchEffect },
  { names: "ack", prints: "anything", effect: "reads" },
];
