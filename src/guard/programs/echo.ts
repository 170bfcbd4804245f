// Programs that print their words.
import type { Program } from "../interpreter/machine.ts";
import { setVariable } from "../interpreter/variables.ts";
import { decodeEscapes, formatted } from "../words/escapes.ts";
import { SOME, UNKNOWN } from "../words/symbols.ts";
import type { ProgramRecord } from "./record.ts";

const echo: Program = ([, ...args], state) => {
  const first = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
  const flags = (first < 0 ? args : args.slice(0, first)).join("");
  const words = first < 0 ? [] : args.slice(first);
  const text = words.join(" ");
  const plain = flags.includes("e") ? [decodeEscapes(text)] : state.shell.posix ? [text, decodeEscapes(text)] : [text];
  return plain.map((line) => `${line}${flags.includes("n") ? "" : "\n"}`);
};

const printf: Program = ([, ...args], state, machine) => {
  const variable = args[0] === "-v" ? args[1] : undefined;
  const [format = "", ...values] = (variable === undefined ? args : args.slice(2)).filter(
    (arg, n) => n > 0 || arg !== "--",
  );
  const text = formatted(format, values);
  if (variable === undefined) return [text];
  setVariable(variable, [text], state, machine);
  return [""];
};

const sequence: Program = (argv) => [
  argv.slice(1).every((arg) => /^\d+$/.test(arg)) && argv.length < 5 ? SOME : UNKNOWN,
];

export const ECHO: readonly ProgramRecord[] = [
  { names: "echo", runs: echo, effect: "reads", builtin: true, takesData: true },
  { names: "printf", runs: printf, effect: "reads", builtin: true, takesData: true },
  { names: "seq", runs: sequence, effect: "reads" },
  { names: "print", takesData: true },
  { names: "yes", runs: ([, ...words]) => [words.length === 0 ? "y" : words.join(" ")], effect: "reads" },
];
