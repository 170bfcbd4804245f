// Follows `jq` over known text: paths, iteration, alternatives, the environment, and `@sh` templates. Any other filter gives text
// that is not known.
import type { Program } from "../../interpreter/machine.ts";
import { inputOf } from "../../interpreter/redirects.ts";
import type { State } from "../../interpreter/state.ts";
import { has, optionTable, parseOptions } from "../../words/options.ts";
import { alternatives, hasGlob, isOpen, scrub, UNKNOWN, unglobbed } from "../../words/symbols.ts";
import type { ProgramRecord } from "../record.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What the filter gives for one input; null where it is not followed. */
type Filter = (input: Json, state: State) => readonly Json[] | null;

const VALUED = optionTable("L indent tab from-file f");

const MAX_STEPS = 32;

const MAX_RESULTS = 256;

const STEP =
  /^(?:\.?\[(?<index>-?\d{1,6})\]|\.?\[\s*"(?<quoted>[^"\\]*)"\s*\]|\.?(?<all>\[\])|\.(?<name>[A-Za-z_]\w*)|\."(?<string>[^"\\]*)")(?<optional>\?)?/;

/** `a | b // "c"`: the pipe binds weakest. */
function filterOf(text: string): Filter | null {
  const stages = text.split(/(?<![|\\])\|(?![|=])/).map((stage) => stageOf(stage.trim()));
  if (stages.length > MAX_STEPS || stages.some((stage) => stage === null)) return null;
  return (input, state) =>
    stages.reduce<readonly Json[] | null>(
      (inputs, stage) => flat(inputs?.map((one) => stage?.(one, state) ?? null) ?? null),
      [input],
    );
}

function flat(results: readonly (readonly Json[] | null)[] | null): readonly Json[] | null {
  if (results === null || results.some((one) => one === null)) return null;
  const all = results.flatMap((one) => one ?? []);
  return all.length > MAX_RESULTS ? null : all;
}

function stageOf(text: string): Filter | null {
  const choices = text.split("//").map((choice) => termOf(choice.trim()));
  if (choices.some((choice) => choice === null)) return null;
  if (choices.length === 1) return choices[0] ?? null;
  return (input, state) => {
    for (const [at, choice] of choices.entries()) {
      const found = choice?.(input, state) ?? null;
      if (found === null) return null;
      const useful = found.filter((value) => value !== null && value !== false);
      if (useful.length > 0 || at === choices.length - 1) return at === choices.length - 1 ? found : useful;
    }
    return [];
  };
}

function termOf(text: string): Filter | null {
  const [, literal] = /^("(?:[^"\\]|\\["\\/bfnrt])*"|-?\d+|null|true|false)$/.exec(text) ?? [];
  if (literal !== undefined) return literal.includes("\\(") ? null : () => [JSON.parse(literal) as Json];
  if (text === "empty") return () => [];
  if (text === "fromjson") return (input) => (typeof input === "string" ? parsedTexts(input) : []);
  if (text === "tostring") return (input) => [typeof input === "string" ? input : JSON.stringify(input)];
  const [, variable, rest = ""] = /^(?:env|\$ENV)\.([A-Za-z_]\w*)(.*)$/.exec(text) ?? [];
  if (variable !== undefined && rest === "")
    return (_, { bindings: { vars } }) =>
      vars.get(variable)?.flatMap((value) => (isOpen(value) ? [] : [value])) ?? null;
  return pathOf(text);
}

function pathOf(text: string): Filter | null {
  const steps: Filter[] = [];
  let rest = text === "." ? "" : text;
  if (!text.startsWith(".")) return null;
  while (rest !== "") {
    const match = STEP.exec(rest);
    if (match === null || steps.length > MAX_STEPS) return null;
    const { index, quoted, all, name, string } = match.groups ?? {};
    steps.push(
      all === undefined ? lookUp(index === undefined ? (quoted ?? name ?? string ?? "") : Number(index)) : each,
    );
    rest = rest.slice(match[0].length);
  }
  return (input, state) =>
    steps.reduce<readonly Json[] | null>(
      (inputs, step) => flat(inputs?.map((one) => step(one, state)) ?? null),
      [input],
    );
}

/** A value without that part ends jq with an error: it prints nothing. */
const lookUp =
  (key: string | number): Filter =>
  (input) => {
    if (input === null) return [null];
    if (typeof key === "number") return Array.isArray(input) ? [(input.at(key) as Json | undefined) ?? null] : [];
    if (typeof input !== "object" || Array.isArray(input)) return [];
    return [Object.hasOwn(input, key) ? ((input as { readonly [key: string]: Json })[key] ?? null) : null];
  };

const each: Filter = (input) =>
  Array.isArray(input) ? input : typeof input === "object" && input !== null ? Object.values(input) : [];

/** Of text that is not JSON jq prints nothing. */
function parsedTexts(text: string): readonly Json[] {
  try {
    return [JSON.parse(text) as Json];
  } catch {
    return [];
  }
}

const runJq: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args.map(unglobbed), VALUED);
  const [text = ".", ...files] = parsed.operands;
  const isPlain = parsed.options.every(({ name }) =>
    /^[rjecMnS]$|^(raw-output|compact-output|exit-status)$/.test(name),
  );
  const filter = isPlain && !isOpen(text) ? filterOf(text) : null;
  const raw = has(parsed, "r", "j", "raw-output");
  if (filter === null) {
    const shown = raw && !isOpen(text) ? (quotesAll(text) ? `'${UNKNOWN}'` : quotedTemplate(text)) : null;
    return [shown === null ? UNKNOWN : `${shown}${has(parsed, "j") ? "" : "\n"}`];
  }
  const inputs = has(parsed, "n") ? ["null"] : inputOf(files, state);
  return alternatives(
    inputs.map((input) => {
      machine.tick(1 + input.length / 64);
      if (isOpen(input) || hasGlob(input)) return UNKNOWN;
      const found = input.trim() === "" ? [] : flat(parsedTexts(input).map((value) => filter(value, state)));
      if (found === null) return UNKNOWN;
      return found.map((value) => `${printed(value, raw)}${has(parsed, "j") ? "" : "\n"}`).join("");
    }),
  );
};

/** `.items | length`: a number for any input. */
const countsWithJq = (args: readonly string[]): boolean => {
  const { operands, options } = parseOptions(args, VALUED);
  const [given = ""] = operands;
  const text = given.replace(/"(?:[^"\\]|\\[^(])*"/g, "x");
  return (
    !/\bdef\b/.test(text) &&
    /^([^"#]*\|)?\s*length\s*$/.test(text) &&
    options.every(({ name }) => /^([rcen]|raw-output|exit-status)$/.test(name))
  );
};

const QUOTES =
  /(?:^|\|)\s*@sh$|^if\b(?:(?!\b(?:if|then|else)\b).)*\bthen\b(?:(?!\b(?:if|else)\b).)*\|\s*@sh\s+else\s+empty\s+end$/s;

/** `.a | @sh`, or `map(@sh) | join(" ")`: every word that it prints is quoted for a shell. */
function quotesAll(filter: string): boolean {
  const joins = /\|\s*join\(" "\)\s*$/.exec(filter);
  const bare = filter
    .slice(0, joins?.index)
    .replace(/"(?:[^"\\]|\\.)*"|#.*/g, '""')
    .trim();
  if (joins === null) return QUOTES.test(bare);
  let depth = 0;
  for (let at = bare.length - 1; at >= 0; at -= 1) {
    if (/[)\]]/.test(bare.charAt(at))) depth += 1;
    if (/[([]/.test(bare.charAt(at))) depth -= 1;
    if (depth > 0) continue;
    return /(?:\bmap\(|\[)$/.test(bare.slice(0, at + 1)) && QUOTES.test(bare.slice(at + 1, -1).trim());
  }
  return false;
}

const printed = (value: Json, raw: boolean): string =>
  scrub(raw && typeof value === "string" ? value : JSON.stringify(value));

const START = /(?:^|\|)\s*@sh\s*"/;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", '"': '"', "\\": "\\", "/": "/" };

const MAX_LENGTH = 4_096;

/**
 * `jq -r '.[] | @sh "mv \\(.from) \\(.to)"'`: a text in which each value that is put in is quoted for a shell (D-242). Null where
 * the filter does not end with one such text.
 */
function quotedTemplate(filter: string): string | null {
  const start = START.exec(filter);
  // What is before it may be any filter, but no part of a string or of a comment.
  const before = filter.slice(0, start?.index).replace(/"(?:[^"\\]|\\.)*"/g, "");
  if (start === null || filter.length > MAX_LENGTH || /["#]/.test(before)) return null;
  let text = "";
  for (let at = start.index + start[0].length; at < filter.length; at += 1) {
    const char = filter.charAt(at);
    if (char === '"') return filter.slice(at + 1).trim() === "" ? text : null;
    if (char !== "\\") text += char;
    else if (filter.charAt(at + 1) === "(") {
      at = endOfValue(filter, at + 2);
      text += `'${UNKNOWN}'`;
    } else {
      at += 1;
      const escaped = ESCAPES[filter.charAt(at)];
      if (escaped === undefined) return null;
      text += escaped;
    }
  }
  return null;
}

/** Where the parenthesis of a value closes. */
function endOfValue(filter: string, from: number): number {
  let depth = 1;
  for (let at = from; at < filter.length; at += 1) {
    const char = filter.charAt(at);
    // A string within it may hold parentheses, so the whole is not followed.
    if (char === '"' || char === "#") return filter.length;
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return filter.length;
}

const GOJQ_APPLIES: NonNullable<ProgramRecord["applies"]> = {
  options: "f from-file L",
  valued: "arg argjson indent slurpfile rawfile",
};

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "gojq",
    effect: "reads",
    applies: GOJQ_APPLIES,
  },
  {
    names: "jq",
    runs: runJq,
    numbers: countsWithJq,
    effect: "reads",
    speaks: true,
    applies: GOJQ_APPLIES,
  },
];
