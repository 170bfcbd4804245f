// Holds the records of programs that print, search, cut and reshape text, show documentation or say things.
import { setVariable } from "../interpreter/arithmetic.ts";
import type { Program } from "../interpreter/machine.ts";
import { decodeEscapes, formatted } from "../words/escapes.ts";
import { SOME, UNKNOWN } from "../words/symbols.ts";
import { quotedWords } from "./getopt.ts";
import { countsWithJq, runJq } from "./jq.ts";
import { options, type ProgramRecord } from "./record.ts";
import { runsTexts, valuesBehind } from "./runs-texts.ts";

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

const WRITES = "writes files";

export const TEXT_TOOLS: readonly ProgramRecord[] = [
  { names: "echo", runs: echo, effect: "reads", builtin: true, takesData: true },
  { names: "printf", runs: printf, effect: "reads", builtin: true, takesData: true },
  { names: "seq", runs: sequence, effect: "reads" },
  { names: "print", takesData: true },
  { names: "yes", runs: ([, ...words]) => [words.length === 0 ? "y" : words.join(" ")], effect: "reads" },
  {
    names: `zdiff zcmp expand unexpand column join look numfmt base32 gojq fx envsubst bc factor pr tsort ts
    locale cal ncal tput jo`,
    effect: "reads",
  },
  { names: "jq", runs: runJq, numbers: countsWithJq, effect: "reads" },
  { names: "expr", prints: "anything", effect: "reads" },
  { names: "getopt", runs: quotedWords },
  { names: "wc uuidgen", prints: "a word", effect: "reads" },
  { names: "shuf", effect: options({ why: WRITES, changes: "o output", valued: "n i o head-count" }) },
  { names: "iconv", effect: options({ why: WRITES, changes: "o output", valued: "f t o" }) },
  {
    names: "yq",
    prints: "anything",
    effect: options({
      why: WRITES,
      changes: "i inplace in-place split-exp",
      valued: "o p I output-format input-format",
    }),
  },
  { names: "xmllint", effect: options({ why: WRITES, changes: "o output", valued: "o xpath schema" }) },
  {
    names: "xmlstarlet",
    effect: ([, verb = "", ...args]) => (/^(sel|el|val)$/.test(verb) && !args.includes("-L") ? "reads" : "unknown"),
  },
  { names: "man", runs: runsTexts(valuesBehind(/^(?:-P|-H|--pager=?|--html=?)/)), effect: "reads" },
  { names: "info tldr apropos whatis whereis", prints: "anything", effect: "reads" },
  { names: "notify-send say cowsay figlet", prints: "anything" },
  { names: "ansible-doc", prints: "anything", effect: "reads" },
];
