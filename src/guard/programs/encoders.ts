// Programs that encode, decode or translate text, so that pipes and substitutions carry it on.
import type { Program } from "../interpreter/machine.ts";
import { inputOf } from "../interpreter/redirects.ts";
import { parseOptions } from "../words/options.ts";
import { isOpen, SOME, scrub, UNKNOWN, unglobbed } from "../words/symbols.ts";
import { options, type ProgramRecord } from "./record.ts";
import { translated } from "./translate.ts";

const MAX_BYTES = 65_536;

/** A filter over known text; text that is not wholly known comes out unknown. */
const overText =
  (change: (text: string, args: readonly string[]) => string): Program =>
  ([, ...args], state) =>
    inputOf(operandsOf(args), state).map((text) => (isOpen(text) ? UNKNOWN : scrub(change(text, args))));

export const operandsOf = (args: readonly string[]): readonly string[] =>
  parseOptions(args, { short: "wnckft", long: [] }).operands;

const decoded = (text: string, encoding: "base64" | "hex"): string =>
  Buffer.from(text.replace(/\s+/g, ""), encoding).toString("utf8").slice(0, MAX_BYTES);

export const encoder: Program = (argv, state, machine) => {
  const decodes = argv.some((arg) => /^(-\w*[dD]\w*|--d[a-z]*)$/.test(arg));
  const change = (text: string) => (decodes ? decoded(text, "base64") : Buffer.from(text).toString("base64"));
  const paths = argv.filter((arg) => !["base64", "enc", "-base64", "-A", "-a"].includes(arg));
  return overText(change)(argv[0] === "openssl" ? paths : argv, state, machine);
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

export const ENCODERS: readonly ProgramRecord[] = [
  { names: "base64", runs: encoder, effect: "reads" },
  {
    names: "xxd",
    runs: xxd,
    effect: options({ why: "writes files", operands: 1, valued: "c g l n o s cols groupsize len seek" }),
  },
  { names: "rev", runs: overText(reversed), effect: "reads" },
  { names: "tr", runs: tr, effect: "reads" },
];
