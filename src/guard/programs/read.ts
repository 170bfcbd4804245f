// Builtins that read standard input into variables: each line of it may be the one that is read.
import { type Program, SILENT } from "../interpreter/machine.ts";
import { contentsOf } from "../interpreter/redirects.ts";
import { runInside } from "../interpreter/run-inside.ts";
import { entered, type State, valuesOf } from "../interpreter/state.ts";
import { setVariable } from "../interpreter/variables.ts";
import { splitAt } from "../words/fields.ts";
import { has, optionValue, type Parsed, parseOptions } from "../words/options.ts";
import { alternatives, DEEP, UNKNOWN } from "../words/symbols.ts";
import type { ProgramRecord } from "./record.ts";

const MAX_LINES = 16;

/** The last name takes the rest of a line. */
const read: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, { short: "adinNptu", long: [] });
  const raw = readLines(readInput(parsed, state), parsed);
  const limit = Number(optionValue(parsed, "n", "N") ?? Number.NaN);
  const cut = Number.isNaN(limit) ? raw : raw.flatMap((line) => [line, line.slice(0, limit)]);
  const lines = has(parsed, "r")
    ? cut
    : cut.flatMap((line) => (line.includes("\\") ? [line, line.replace(/\\(.)/g, "$1")] : [line]));
  const array = optionValue(parsed, "a");
  if (array !== null) {
    const fields = lines.map((line) => readFields(line, state));
    const [first = []] = fields;
    const items = first.map((item, at) => (fields.every((line) => line[at] === item) ? item : UNKNOWN));
    state.bindings.arrays = entered(state.bindings.arrays, array, [
      fields.some((line) => line.length > items.length) ? [UNKNOWN] : items,
    ]);
  }
  const names = parsed.operands.length === 0 ? ["REPLY"] : parsed.operands;
  for (const [at, name] of names.entries()) {
    const texts = lines.map((line) => {
      const words = readFields(line, state);
      if (at < names.length - 1) return words[at] ?? "";
      return at === 0 ? line.trim() : words.slice(at).join(" ");
    });
    setVariable(name, alternatives(texts), state, machine);
  }
  return SILENT;
};

/** `-u 3` reads another descriptor. */
function readInput(parsed: Parsed, state: State): readonly string[] | null {
  const fd = optionValue(parsed, "u");
  return fd === null ? state.io.stdin : contentsOf(`/dev/fd/${fd}`, state);
}

function readLines(stdin: readonly string[] | null, parsed: Parsed): readonly string[] {
  const delimiter = optionValue(parsed, "d") ?? "\n";
  const separator = delimiter === "" ? "\0" : delimiter.charAt(0);
  // The output of find is kept as lines, with any separator between its paths.
  const lines = (stdin ?? [UNKNOWN]).flatMap((text) =>
    text.replace(/\n$/, "").split(text.includes(DEEP) ? /[\0\n]/ : separator),
  );
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), UNKNOWN] : lines;
}

const readFields = (line: string, state: State): readonly string[] => {
  const ifs = valuesOf(state, "IFS")[0] ?? "";
  return splitAt(ifs === "" ? line : line.trim(), ifs);
};

const mapfile: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, { short: "CcdnOsu", long: [] });
  const callback = optionValue(parsed, "C");
  if (callback !== null) runInside(callback, state, machine);
  const skipped = Number(optionValue(parsed, "s") ?? 0) || 0;
  const name = parsed.operands[0] ?? "MAPFILE";
  setVariable(name, [""], state, machine);
  const lines = readLines(readInput(parsed, state), parsed).slice(skipped);
  state.bindings.arrays = entered(state.bindings.arrays, name, [
    has(parsed, "t") ? lines : lines.map((line) => `${line}\n`),
  ]);
  return SILENT;
};

export const READERS: readonly ProgramRecord[] = [
  { names: "read", runs: read, effect: "reads", builtin: true },
  { names: "mapfile readarray", runs: mapfile, effect: "reads", builtin: true },
];
