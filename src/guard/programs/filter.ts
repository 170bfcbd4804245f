// Filters that pick from text or edit it: over known text their output is known, over any other it is not.
import type { Program } from "../interpreter/machine.ts";
import { inputOf } from "../interpreter/redirects.ts";
import { has, type OptionTable, type Parsed, parseOptions } from "../words/options.ts";
import { hasGlob, isOpen, scrub, UNKNOWN, unglobbed } from "../words/symbols.ts";

/** The output for one text; null when it is unknown. `operands` are those that are no files. */
export type TextEdit = (text: string, parsed: Parsed) => string | null;

/** `own`: how many operands come before the files. `keeps`: file names that are not known pass as they are. */
export function filter(
  edit: TextEdit,
  table: OptionTable,
  own: (parsed: Parsed) => number = () => 0,
  keeps = false,
): Program {
  return ([, ...args], state, machine) => {
    const parsed = parseOptions(args.map(unglobbed), table);
    return inputOf(parsed.operands.slice(own(parsed)), state).map((text) => {
      machine.tick(text.length / 64);
      if (isOpen(text) || (hasGlob(text) && !keeps)) return UNKNOWN;
      const edited = edit(text, parsed);
      return edited === null ? UNKNOWN : hasGlob(text) ? edited : scrub(edited);
    });
  };
}

/** Lines without their ends. */
export function lines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

export const ended = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

export const valued = (short: string, long = ""): OptionTable => ({ short, long: long.split(" ") });

export const patternFirst = (parsed: Parsed): number => (has(parsed, "e", "regexp", "expression", "f") ? 0 : 1);
