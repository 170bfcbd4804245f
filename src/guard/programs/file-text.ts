// Programs that show files, list them or name them.
import type { Output, Program } from "../interpreter/machine.ts";
import { inputOf, record } from "../interpreter/redirects.ts";
import { deeper } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { has, optionValue, parseOptions } from "../words/options.ts";
import { alternatives, hasGlob, SOME, STAR, UNKNOWN } from "../words/symbols.ts";
import { operandsOf } from "./encoders.ts";
import { type ProgramRecord, unlessDry } from "./record.ts";

const cat: Program = ([, ...args], state) => inputOf(operandsOf(args), state);

const tee: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args);
  const text = state.io.stdin ?? [""];
  for (const path of parsed.operands) {
    const reader = state.io.readers.get(path);
    if (reader !== undefined) machine.runScript(reader, deeper(state, { io: { stdin: text } }));
    machine.write(path, state);
    record({ path, append: has(parsed, "a", "append"), text }, state, machine);
  }
  return text;
};

const dirName: Program = ([, ...args]) => [
  parseOptions(args)
    .operands.map((path) =>
      path.includes("/") ? path.replace(/\/+[^/]*\/*$/, "") || (path.startsWith("/") ? "/" : ".") : ".",
    )
    .join("\n"),
];

const baseOf: Program = ([, path = "", suffix = ""]) => {
  const name = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return [(suffix !== "" && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name) || "/"];
};

const resolved: Program = ([, ...args], state) => {
  const { operands } = parseOptions(args);
  return alternatives(state.place.cwd.map((cwd) => operands.map((path) => absolute(path, cwd)).join("\n")));
};

const temporary: Program = ([, ...args]): Output => {
  const parsed = parseOptions(args, { short: "p", long: ["tmpdir", "suffix"] });
  const [template] = parsed.operands;
  const directory = optionValue(parsed, "p", "tmpdir");
  const name = template === undefined ? `tmp.${SOME}` : template.replace(/X{3,}/, SOME);
  const inTemporary = template === undefined || has(parsed, "t", "p", "tmpdir");
  return [inTemporary && !name.startsWith("/") ? `${directory ?? "/tmp"}/${name}` : name];
};

const list: Program = ([, ...args]) => {
  const parsed = parseOptions(args);
  const named = has(parsed, "d") || (parsed.operands.length > 0 && parsed.operands.every(hasGlob));
  return [named ? parsed.operands.join("\n") : STAR];
};

const which: Program = ([, ...args]) => [
  parseOptions(args)
    .operands.map((name) => (name.includes("/") ? name : `/usr/bin/${name}`))
    .join("\n"),
];

/** Numbers only: `%s` of a file is its size. */
const stat: Program = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "cf", long: ["format", "printf"] });
  const format = optionValue(parsed, "c", "f", "format", "printf");
  return [format !== null && /^(%[abBdfghiosStTuWXYZz][,.:; ]?)+$/.test(format) ? SOME : UNKNOWN];
};

const temporaryEffect = unlessDry("u dry-run", { changes: "writes files" });

export const FILE_TEXT: readonly ProgramRecord[] = [
  { names: "cat", runs: cat, effect: "reads", takesData: true },
  { names: "gcat pv", runs: cat, effect: "reads" },
  { names: "ls", runs: list, effect: "reads", takesData: true },
  { names: "stat", runs: stat, effect: "reads" },
  { names: "file", prints: "anything", effect: "reads" },
  { names: "dirname", runs: dirName, effect: "reads" },
  { names: "basename", runs: baseOf, effect: "reads" },
  { names: "realpath readlink", runs: resolved, effect: "reads" },
  { names: "pwd", runs: (_argv, state) => state.place.cwd, effect: "reads", builtin: true },
  { names: "which", runs: which, effect: "reads" },
  { names: "mktemp", runs: temporary, effect: temporaryEffect },
  { names: "tempfile", effect: temporaryEffect },
];

export const TEE: readonly ProgramRecord[] = [{ names: "tee", runs: tee, effect: "reads", suspected: "as a pattern" }];
