// Programs that encode, decode or translate text, so that pipes and substitutions carry it on.
import type { Program } from "../interpreter/machine.ts";
import { inputOf } from "../interpreter/redirects.ts";
import { parseOptions } from "../words/options.ts";
import { isOpen, SOME, scrub, UNKNOWN, unglobbed } from "../words/symbols.ts";
import { keepsDigits } from "./prints-numbers.ts";
import { type EffectRule, isFile, options, type ProgramRecord } from "./record.ts";

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
    else if (set.charAt(at) === "\\") {
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

const encoder: Program = (argv, state, machine) => {
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

const OPENSSL_LOOKS =
  /^(version|s_client|x509|verify|ciphers|crl|asn1parse|req|rsa|ec|pkey|pkcs7|pkcs12|dgst|md5|sha\d+|enc|base64|rand|list|errstr|speed|ocsp|dhparam|genrsa|passwd|s_time|crl2pkcs7|-?v)$/;

const openssl: EffectRule = ([, verb = "help", ...args]) => {
  const written = args.some((arg, at) => /^-(key|CAserial)?out$|^-writerand$/.test(arg) && isFile(args[at + 1]));
  if (written) return { changes: "writes files" };
  if (verb === "req" && args.some((arg) => /^-(newkey|new|x509)$/.test(arg))) return "unknown";
  return verb === "help" || OPENSSL_LOOKS.test(verb) ? "reads" : "unknown";
};

export const ENCODERS: readonly ProgramRecord[] = [
  { names: "base64", runs: encoder, effect: "reads" },
  {
    names: "xxd",
    runs: xxd,
    effect: options({ why: "writes files", operands: 1, valued: "c g l n o s cols groupsize len seek" }),
  },
  { names: "rev", runs: overText(reversed), effect: "reads" },
  { names: "tr", runs: tr, numbers: keepsDigits, effect: "reads" },
  { names: "openssl", runs: encoder, effect: openssl },
];
