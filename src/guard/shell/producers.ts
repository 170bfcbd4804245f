// Programs whose output the text alone tells, so that pipes and substitutions carry it on.
import { absolute } from "../paths.ts";
import type { Output, Program } from "./machine.ts";
import { has, optionValue, parseOptions } from "./options.ts";
import { decodeEscapes, formatted } from "./printf.ts";
import { contentsOf, inputOf, isWritten, record } from "./redirects.ts";
import { entered, fork } from "./state.ts";
import { alternatives, hasGlob, isOpen, SOME, STAR, scrub, UNKNOWN, unglobbed } from "./symbols.ts";
import { translated } from "./translate.ts";
import { setVariable } from "./variables.ts";

const MAX_BYTES = 65_536;

const echo: Program = ([, ...args], state) => {
  const first = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
  const flags = (first < 0 ? args : args.slice(0, first)).join("");
  const words = first < 0 ? [] : args.slice(first);
  const text = words.join(" ");
  const plain = flags.includes("e") ? [decodeEscapes(text)] : state.posix ? [text, decodeEscapes(text)] : [text];
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

/** A filter over known text; text that is not wholly known comes out unknown. */
const filter =
  (change: (text: string, args: readonly string[]) => string): Program =>
  ([, ...args], state) =>
    inputOf(operandsOf(args), state).map((text) => (isOpen(text) ? UNKNOWN : scrub(change(text, args))));

const operandsOf = (args: readonly string[]): readonly string[] =>
  parseOptions(args, { short: "wnckft", long: [] }).operands;

const cat: Program = ([, ...args], state) => inputOf(operandsOf(args), state);

/** What was written or is a program stays so under its new name. */
const copy: Program = ([, ...args], state) => {
  const { operands } = parseOptions(args, { short: "tSmgo", long: [] });
  const [from = "", to = ""] = operands;
  if (operands.length !== 2) return [""];
  for (const cwd of state.cwd) {
    const source = absolute(from, cwd);
    const place = /(^|\/)\.{0,2}$/.test(to) ? `${to}/${source.split("/").at(-1)}` : to;
    const text = isWritten(from, state) ? contentsOf(from, state) : undefined;
    if (text !== undefined) state.files = entered(state.files, absolute(place, cwd), text);
    else state.copies = entered(state.copies, absolute(place, cwd), source.split("/").at(-1) ?? "");
  }
  return [""];
};

const tee: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args);
  const text = state.stdin ?? [""];
  for (const path of parsed.operands) {
    const reader = state.readers.get(path);
    if (reader !== undefined) machine.runScript(reader, fork(state, { depth: state.depth + 1, stdin: text }));
    machine.write(path, state);
    record(path, has(parsed, "a", "append"), text, state);
  }
  return text;
};

const decoded = (text: string, encoding: "base64" | "hex"): string =>
  Buffer.from(text.replace(/\s+/g, ""), encoding).toString("utf8").slice(0, MAX_BYTES);

const encoder: Program = (argv, state, machine) => {
  const decodes = argv.some((arg) => /^(-\w*[dD]\w*|--d[a-z]*)$/.test(arg));
  const change = (text: string) => (decodes ? decoded(text, "base64") : Buffer.from(text).toString("base64"));
  const paths = argv.filter((arg) => !["base64", "enc", "-base64", "-A", "-a"].includes(arg));
  return filter(change)(argv[0] === "openssl" ? paths : argv, state, machine);
};

const xxd: Program = (argv, state, machine) =>
  argv.some((arg) => /^-\w*r/.test(arg))
    ? filter((text) => decoded(text, "hex"))([argv[0] ?? ""], state, machine)
    : argv.some((arg) => /^-\w*p/.test(arg))
      ? filter((text) => Buffer.from(text).toString("hex"))([argv[0] ?? ""], state, machine)
      : [UNKNOWN];

const reversed = (text: string): string =>
  text
    .split("\n")
    .map((line) => [...line].reverse().join(""))
    .join("\n");

const tr: Program = ([, ...args], state) =>
  (state.stdin ?? [""]).map((text) => (!isOpen(text) ? translated(text, args) : onlyPlain(args) ? SOME : UNKNOWN));

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
  return alternatives(state.cwd.map((cwd) => operands.map((path) => absolute(path, cwd)).join("\n")));
};

const sequence: Program = (argv) => [
  argv.slice(1).every((arg) => /^\d+$/.test(arg)) && argv.length < 5 ? SOME : UNKNOWN,
];

const temporary: Program = ([, ...args]): Output => {
  const parsed = parseOptions(args, { short: "p", long: ["tmpdir", "suffix"] });
  const [template] = parsed.operands;
  const directory = optionValue(parsed, "p", "tmpdir");
  const name = template === undefined ? `tmp.${SOME}` : template.replace(/X{3,}/, SOME);
  const inTemporary = template === undefined || has(parsed, "t", "p", "tmpdir");
  return [inTemporary && !name.startsWith("/") ? `${directory ?? "/tmp"}/${name}` : name];
};

/** `dd of=x` writes what it reads. */
const dd: Program = ([, ...args], state, machine) => {
  const operand = (name: string) => args.find((arg) => arg.startsWith(name))?.slice(name.length);
  const [from, to] = [operand("if="), operand("of=")];
  const text = from === undefined ? (state.stdin ?? [""]) : contentsOf(from, state);
  if (to === undefined) return text;
  machine.write(to, state);
  record(to, false, text, state);
  return [""];
};

const list: Program = ([, ...args]) => {
  const parsed = parseOptions(args);
  const named = has(parsed, "d") || (parsed.operands.length > 0 && parsed.operands.every(hasGlob));
  return [named ? parsed.operands.join("\n") : STAR];
};

/** The text of a format stands as it is; what is filled in is a plain word. */
const date: Program = ([, ...args]) => {
  const format = parseOptions(args, { short: "dfrs", long: ["date", "file", "reference", "set"] }).operands[0];
  return [format === undefined ? SOME : format.slice(1).replace(/%[-_0^#]?\d*:*[A-Za-z]/g, SOME)];
};

const which: Program = ([, ...args]) => [
  parseOptions(args)
    .operands.map((name) => (name.includes("/") ? name : `/usr/bin/${name}`))
    .join("\n"),
];

const printVariable: Program = ([, name], state) =>
  name === undefined ? [UNKNOWN] : (state.vars.get(name) ?? [UNKNOWN]);

/** `tr -dc 0-9` leaves digits of whatever comes in. */
const onlyPlain = (args: readonly string[]): boolean =>
  args.some((arg) => /^-(\w*d\w*[cC]|\w*[cC]\w*d)\w*$/.test(arg)) &&
  args.some(
    (arg) =>
      /^(\[:(digit|alnum|alpha|xdigit|upper|lower):\]|[\w-])+(\\n)?$/.test(unglobbed(arg)) && !arg.startsWith("-"),
  );

const same = (names: string, program: Program): readonly (readonly [string, Program])[] =>
  names.split(" ").map((name) => [name, program] as const);

export const PRODUCERS: readonly (readonly [string, Program])[] = [
  ...same("echo", echo),
  ...same("printf", printf),
  ...same("cat gcat", cat),
  ...same("pv", cat),
  ...same("tee", tee),
  ...same("base64 openssl", encoder),
  ...same("xxd", xxd),
  ...same("rev", filter(reversed)),
  ...same("tr", tr),
  ...same("dirname", dirName),
  ...same("basename", baseOf),
  ...same("realpath readlink", resolved),
  ...same("pwd", (_argv, state) => state.cwd),
  ...same("seq", sequence),
  ...same("yes", ([, ...words]) => [words.length === 0 ? "y" : words.join(" ")]),
  ...same("dd", dd),
  ...same("mktemp", temporary),
  ...same("ls", list),
  ...same("printenv", printVariable),
  ...same("date", date),
  ...same("which", which),
  ...same("wc nproc id whoami hostname uname arch tty uuidgen", () => [SOME]),
  ...same("cp mv ln install", copy),
  ...same("rm mkdir touch chmod chown kill", () => [""]),
];
