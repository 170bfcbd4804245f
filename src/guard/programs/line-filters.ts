// Filters that work line by line, and packers, which their counterpart undoes.
import type { Program } from "../interpreter/machine.ts";
import { has, optionValue, type Parsed } from "../words/options.ts";
import { ended, filter, lines, type TextEdit, valued } from "./filter.ts";
import { options, type ProgramRecord } from "./record.ts";

const numberIn = (text: string | null, fallback: number): number | null => {
  if (text === null) return fallback;
  return /^[-+]?\d{1,6}$/.test(text) ? Number(text) : null;
};

/** `head -1` is an old spelling of `head -n 1`. */
function count(parsed: Parsed): string | null {
  const digits = parsed.options.filter(({ name }) => /^\d$/.test(name)).map(({ name }) => name);
  return digits.length > 0 ? digits.join("") : optionValue(parsed, "n", "lines");
}

const sameText: TextEdit = (text) => text;

const head: TextEdit = (text, parsed) => {
  const bytes = optionValue(parsed, "c", "bytes");
  const n = numberIn(bytes ?? count(parsed), 10);
  if (n === null) return null;
  if (bytes !== null) return text.slice(0, n < 0 ? text.length + n : n);
  return ended(lines(text).slice(0, n));
};

const tail: TextEdit = (text, parsed) => {
  const bytes = optionValue(parsed, "c", "bytes");
  const given = bytes ?? count(parsed);
  const n = numberIn(given, 10);
  if (n === null) return null;
  const from = given?.startsWith("+") === true ? n - 1 : n === 0 ? Number.MAX_SAFE_INTEGER : -Math.abs(n);
  return bytes === null ? ended(lines(text).slice(from)) : text.slice(from);
};

/** `1,3-5,7-`: whether place n (from 1) is picked; null for a list that is not one. */
function picked(list: string): ((n: number) => boolean) | null {
  const ranges = list.split(",").map((range) => /^(\d{0,5})(-?)(\d{0,5})$/.exec(range));
  if (ranges.some((range) => range === null || range[0] === "")) return null;
  const bounds = ranges.map((range) => {
    const [, first = "", dash, last = ""] = range ?? [];
    return [Number(first || 1), dash === "" ? Number(first) : Number(last || Number.MAX_SAFE_INTEGER)] as const;
  });
  return (n) => bounds.some(([first, last]) => n >= first && n <= last);
}

const cut: TextEdit = (text, parsed) => {
  const characters = optionValue(parsed, "c", "b", "characters", "bytes");
  const pick = picked(characters ?? optionValue(parsed, "f", "fields") ?? "");
  if (pick === null || has(parsed, "complement")) return null;
  const between = optionValue(parsed, "d", "delimiter") ?? "\t";
  const glue = characters === null ? (optionValue(parsed, "output-delimiter") ?? between) : "";
  const edited = lines(text).map((line) => {
    const parts = characters === null ? line.split(between) : [...line];
    const whole = characters === null && parts.length === 1;
    return whole ? line : parts.filter((_, at) => pick(at + 1)).join(glue);
  });
  return ended(edited);
};

const sort: TextEdit = (text, parsed) => {
  if (parsed.options.some(({ name }) => !/^[ru]$/.test(name))) return null;
  const sorted = lines(text).toSorted();
  return ended([...new Set(has(parsed, "r") ? sorted.reverse() : sorted)]);
};

const uniq: TextEdit = (text, parsed) =>
  parsed.options.length > 0 ? null : ended(lines(text).filter((line, at, all) => line !== all[at - 1]));

const paste: TextEdit = (text, parsed) =>
  has(parsed, "s") ? `${lines(text).join(optionValue(parsed, "d", "delimiters") ?? "\t")}\n` : null;

// Packing is undone by its counterpart, so the text is carried on as it is.
export const carriesText: Program = filter(sameText, valued("wS"), undefined, true);

const sortEffect = options({
  why: "writes files",
  changes: "o output",
  unsure: "compress-program",
  valued: "k S t T o key",
});

export const LINE_FILTERS: readonly ProgramRecord[] = [
  { names: "head", runs: filter(head, valued("nc", "lines bytes"), undefined, true), effect: "reads" },
  { names: "tail", runs: filter(tail, valued("ncs", "lines bytes pid"), undefined, true), effect: "reads" },
  {
    names: "cut",
    runs: filter(cut, valued("bcdf", "bytes characters fields delimiter output-delimiter")),
    effect: "reads",
  },
  { names: "sort", runs: filter(sort, valued("kotS", "key output"), undefined, true), effect: sortEffect },
  { names: "gsort", effect: sortEffect },
  { names: "fold fmt zcat bzcat xzcat zstdcat", runs: carriesText, effect: "reads" },
  {
    names: "uniq",
    runs: filter(uniq, valued("fsw")),
    effect: options({ why: "writes files", operands: 1, valued: "f s w" }),
  },
  { names: "tac", runs: filter((text) => ended(lines(text).toReversed()), valued("s")), effect: "reads" },
  { names: "paste", runs: filter(paste, valued("d", "delimiters")), effect: "reads" },
];
