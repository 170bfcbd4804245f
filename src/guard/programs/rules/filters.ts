// Applies filters to known text; text that is not wholly known comes out unknown.
import { gunzipSync } from "node:zlib";
import type { Program } from "../../interpreter/machine.ts";
import { inputOf } from "../../interpreter/redirects.ts";
import { has, type OptionTable, optionValue, type Parsed, parseOptions } from "../../words/options.ts";
import { hasGlob, isOpen, scrub, UNKNOWN, unglobbed } from "../../words/symbols.ts";

export const MAX_BYTES = 65_536;

/** A filter over known text; text that is not wholly known comes out unknown. */
export const overText =
  (change: (text: string, args: readonly string[]) => string): Program =>
  ([, ...args], state) =>
    inputOf(operandsOf(args), state).map((text) => (isOpen(text) ? UNKNOWN : scrub(change(text, args))));

export const operandsOf = (args: readonly string[]): readonly string[] =>
  parseOptions(args, { short: "wnckft", long: [] }).operands;

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
      if (isOpen(text) || (hasGlob(text) && !keeps)) {
        machine.tick(text.length / 1024);
        return UNKNOWN;
      }
      machine.tick(text.length / 64);
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

export const numberIn = (text: string | null, fallback: number): number | null => {
  if (text === null) return fallback;
  return /^[-+]?\d{1,6}$/.test(text) ? Number(text) : null;
};

/** `head -1` is an old spelling of `head -n 1`. */
export function count(parsed: Parsed): string | null {
  const digits = parsed.options.filter(({ name }) => /^\d$/.test(name)).map(({ name }) => name);
  return digits.length > 0 ? digits.join("") : optionValue(parsed, "n", "lines");
}

const sameText: TextEdit = (text) => text;

// Packing is undone by its counterpart, so the text is carried on as it is.
export const carriesText: Program = filter(sameText, valued("wS"), undefined, true);

/** Packing is undone by its counterpart, so text is carried on as it is. Of bytes that were packed before, only gzip's are known. */
const unpacked: TextEdit = (text) => (PACKED.test(text) ? inflated(text) : text);

// biome-ignore lint/suspicious/noControlCharactersInRegex: packed bytes have them
const PACKED = /^(?:BZh|\(\xb5\/\xfd)|[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]/;

function inflated(text: string): string | null {
  try {
    return gunzipSync(Buffer.from(text, "latin1"), { maxOutputLength: MAX_BYTES }).toString("utf8");
  } catch {
    return null;
  }
}

export const packs: Program = filter(unpacked, valued("wS"), undefined, true);
