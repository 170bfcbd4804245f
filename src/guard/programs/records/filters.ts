// Follows filters that pick from text or edit it, and encoders: over known text their output is known, over any other it is not.
import { isUtf8 } from "node:buffer";
import type { Program } from "../../interpreter/machine.ts";
import { inputOf } from "../../interpreter/redirects.ts";
import { endsOf, type PlainRegex, patternOf, plainRegex } from "../../words/glob.ts";
import { has, optionValue, type Parsed, parseOptions } from "../../words/options.ts";
import { DEEP, hasGlob, isOpen, isUnknown, SOME, UNKNOWN, unglobbed } from "../../words/symbols.ts";
import type { EffectRule, ProgramRecord } from "../record.ts";
import { isFile, onThisMachine, options, WRITING } from "../rules/effects.ts";
import {
  carriesText,
  count,
  ended,
  filter,
  lines,
  MAX_BYTES,
  numberIn,
  overText,
  packs,
  patternFirst,
  type TextEdit,
  valued,
} from "../rules/filters.ts";
import type { Args } from "../rules/select.ts";

const DIGITS = /^(0-9|\[:digit:\])(\\n)?$/;

/** `tr -dc 0-9`. */
const keepsDigits = ([how = "", set = "", ...more]: Args): boolean =>
  /^-(cd|dc|Cd|dC)$/.test(how) && DIGITS.test(set) && more.length === 0;

const CLASSES = new Map([
  ["[:upper:]", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
  ["[:lower:]", "abcdefghijklmnopqrstuvwxyz"],
  ["[:digit:]", "0123456789"],
  ["[:space:]", " \t\n\r\v\f"],
  ["[:blank:]", " \t"],
]);

const ESCAPES = new Map(Object.entries({ n: "\n", t: "\t", "\\": "\\", "0": "\0" }));

function translated(text: string, args: readonly string[]): string {
  const flags = args.filter((arg) => /^-[a-zA-Z]+$/.test(arg)).join("");
  const [first = "", second = ""] = args.filter((arg) => !/^-[a-zA-Z]+$/.test(arg));
  const from = charactersOf(first);
  const to = charactersOf(second);
  if (/[cCt]/.test(flags) || from === null || to === null) return UNKNOWN;
  if (flags.includes("d")) return [...text].filter((char) => !from.includes(char)).join("");
  const result = [...text].map((char) => {
    const at = from.lastIndexOf(char);
    return at < 0 || to === "" ? char : to.charAt(Math.min(at, to.length - 1));
  });
  if (!flags.includes("s")) return result.join("");
  const squeezed = to === "" ? from : to;
  return result.filter((char, at) => char !== result[at - 1] || !squeezed.includes(char)).join("");
}

/** Ranges and classes written out; null for what is not understood. */
function charactersOf(set: string): string | null {
  let all = "";
  for (let at = 0; at < set.length; at += 1) {
    const name = [...CLASSES.keys()].find((known) => set.startsWith(known, at));
    if (name !== undefined) {
      all += CLASSES.get(name) ?? "";
      at += name.length - 1;
    } else if (set.startsWith("[:", at) || set.startsWith("[=", at)) return null;
    else if (/^\\[0-7]{1,3}/.test(set.slice(at))) {
      // A range of these is one of bytes, which are no characters of a text.
      if (/^\\[0-7]{1,3}-/.test(set.slice(at))) return null;
      const [, digits = ""] = /^\\([0-7]{1,3})/.exec(set.slice(at)) ?? [];
      all += String.fromCharCode(Number.parseInt(digits, 8));
      at += digits.length;
    } else if (set.charAt(at) === "\\") {
      at += 1;
      const escaped = ESCAPES.get(set.charAt(at));
      if (escaped === undefined && /\d/.test(set.charAt(at))) return null;
      all += escaped ?? set.charAt(at);
    } else if (set.charAt(at + 1) === "-" && at + 2 < set.length) {
      const last = set.charCodeAt(at + 2);
      for (let code = set.charCodeAt(at); code <= last && all.length < 512; code += 1) all += String.fromCharCode(code);
      at += 2;
    } else all += set.charAt(at);
  }
  return all;
}

/** What is no text is one character for each byte. */
function decoded(text: string, encoding: "base64" | "hex"): string {
  const bytes = Buffer.from(text.replace(/\s+/g, ""), encoding).subarray(0, MAX_BYTES);
  return bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
}

const encoder: Program = (argv, state, machine) => {
  const decodes = argv.some((arg) => /^(-\w*[dD]\w*|--d[a-z]*)$/.test(arg));
  const change = (text: string) => (decodes ? decoded(text, "base64") : Buffer.from(text).toString("base64"));
  const paths = argv.filter((arg) => !["base64", "enc", "-base64", "-A", "-a"].includes(arg));
  return overText(change)(argv[0] === "openssl" ? paths : argv, state, machine);
};

/** Words of `openssl` with which it only encodes. */
const ONLY_ENCODES = /^(?:base64|enc|-a|-A|-d|-e|-base64|-in|-out|(?!-).*)$/;

/** What a cipher makes of known text is not known. */
const runOpenssl: Program = (argv, state, machine) => {
  const encodes =
    argv.some((arg) => /^-?(?:base64|a)$/.test(arg)) && argv.slice(1).every((arg) => ONLY_ENCODES.test(arg));
  return encodes ? encoder(argv, state, machine) : [UNKNOWN];
};

const xxd: Program = (argv, state, machine) =>
  argv.some((arg) => /^-\w*r/.test(arg))
    ? overText((text) => decoded(text, "hex"))([argv[0] ?? ""], state, machine)
    : argv.some((arg) => /^-\w*p/.test(arg))
      ? overText((text) => Buffer.from(text).toString("hex"))([argv[0] ?? ""], state, machine)
      : [UNKNOWN];

const reversed = (text: string): string =>
  text
    .split("\n")
    .map((line) => [...line].reverse().join(""))
    .join("\n");

const tr: Program = ([, ...args], state) =>
  (state.io.stdin ?? [""]).map((text) => (!isOpen(text) ? translated(text, args) : onlyPlain(args) ? SOME : UNKNOWN));

/** `tr -dc 0-9` leaves only digits of any input. */
const onlyPlain = (args: readonly string[]): boolean =>
  args.some((arg) => /^-(\w*d\w*[cC]|\w*[cC]\w*d)\w*$/.test(arg)) &&
  args.some(
    (arg) =>
      /^(\[:(digit|alnum|alpha|xdigit|upper|lower):\]|[\w-])+(\\n)?$/.test(unglobbed(arg)) && !arg.startsWith("-"),
  );

const OPENSSL_LOOKS =
  /^(version|s_client|x509|verify|ciphers|crl|asn1parse|req|rsa|ec|pkey|pkcs7|pkcs12|dgst|md5|sha\d+|enc|base64|rand|list|errstr|speed|ocsp|dhparam|genrsa|passwd|s_time|crl2pkcs7|-?v)$/;

const openssl: EffectRule = ([, verb = "help", ...args]) => {
  const written = args.some((arg, at) => /^-(key|CAserial)?out$|^-writerand$/.test(arg) && isFile(args[at + 1]));
  if (written) return { changes: "writes files" };
  if (verb === "req" && args.some((arg) => /^-(newkey|new|x509)$/.test(arg))) return "unknown";
  return verb === "help" || OPENSSL_LOOKS.test(verb) ? "reads" : "unknown";
};

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

const prints = (parsed: Parsed): boolean => !has(parsed, "c", "C", "o", "output", "check");

const sort: TextEdit = (text, parsed) => {
  if (lines(text).length === 1 && prints(parsed)) return text;
  if (parsed.options.some(({ name }) => !/^[ru]$/.test(name))) return null;
  const all = lines(text).toSorted();
  return ended([...new Set(has(parsed, "r") ? all.reverse() : all)]);
};

const SORT = valued("kotS", "key output");

const sorted = filter(sort, SORT, undefined, true);

/** The paths that find prints have no order. */
const runSort: Program = (argv, state, machine) => {
  const parsed = parseOptions(argv.slice(1), SORT);
  const texts = inputOf(parsed.operands, state);
  const areFound = texts.every((text) => text.includes(DEEP) && !isUnknown(text));
  return areFound && prints(parsed) ? texts : sorted(argv, state, machine);
};

const uniq: TextEdit = (text, parsed) =>
  parsed.options.length > 0 ? null : ended(lines(text).filter((line, at, all) => line !== all[at - 1]));

const paste: TextEdit = (text, parsed) =>
  has(parsed, "s") ? `${lines(text).join(optionValue(parsed, "d", "delimiters") ?? "\t")}\n` : null;

const sortEffect = options({
  why: "writes files",
  changes: "o output",
  unsure: "compress-program",
  valued: "k S t T o key",
});

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

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    { names: "sort", runs: runSort, effect: sortEffect, commands: "compress-program" },
    { names: "gsort", effect: sortEffect },
    {
      names: "uniq",
      runs: filter(uniq, valued("fsw")),
      effect: options({ why: "writes files", operands: 1, valued: "f s w" }),
      writes: { operands: "second", valued: "f s w c l s" },
    },
    {
      names: "rg",
      commands: "pre",
      prints: "anything",
      effect: searchEffect,
      takesData: true,
      speaks: true,
      otherOutput: true,
    },
    { names: "ag", prints: "anything", effect: searchEffect, otherOutput: true },
  ]),
  { names: "base64", runs: encoder, effect: "reads" },
  {
    names: "xxd",
    runs: xxd,
    effect: options({ why: "writes files", operands: 1, valued: "c g l n o s cols groupsize len seek" }),
    writes: { operands: "second", valued: "f s w c l s" },
  },
  { names: "rev", runs: overText(reversed), effect: "reads" },
  { names: "tr", runs: tr, numbers: keepsDigits, effect: "reads" },
  {
    names: "openssl",
    runs: runOpenssl,
    effect: openssl,
    sideEffects: [
      { words: /^-(?:keylogfile|out|sess_out|writerand|keyout|msgfile)$/, effect: WRITING },
      { words: /^-(?:engine|provider|provider-path|config)$/, effect: "unknown" },
    ],
    writes: { words: /^(?!)$/, options: "out keyout" },
    applies: "config extfile extensions-file",
  },
  { names: "head", runs: filter(head, valued("nc", "lines bytes"), undefined, true), effect: "reads" },
  { names: "tail", runs: filter(tail, valued("ncs", "lines bytes pid"), undefined, true), effect: "reads" },
  {
    names: "cut",
    runs: filter(cut, valued("bcdf", "bytes characters fields delimiter output-delimiter")),
    effect: "reads",
  },
  { names: "fold fmt", runs: carriesText, effect: "reads" },
  { names: "zcat bzcat xzcat zstdcat", runs: packs, effect: "reads" },
  { names: "tac", runs: filter((text) => ended(lines(text).toReversed()), valued("s")), effect: "reads" },
  { names: "paste", runs: filter(paste, valued("d", "delimiters")), effect: "reads" },
  { names: "grep", runs: runGrep, effect: "reads", takesData: true, speaks: true, otherOutput: true },
  { names: "egrep fgrep", runs: runGrep, effect: "reads", speaks: true, otherOutput: true },
  { names: "zgrep", effect: "reads", otherOutput: true },
  { names: "zegrep zfgrep bzgrep xzgrep", effect: "reads" },
  { names: "ack", prints: "anything", effect: "reads", otherOutput: true },
];
