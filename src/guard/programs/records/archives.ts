// Holds the records of programs that pack, unpack and compress files.

import type { Program } from "../../interpreter/machine.ts";
import { isWritten, record } from "../../interpreter/redirects.ts";
import { has, optionTable, optionValue, parseOptions } from "../../words/options.ts";
import type { Consequences, EffectRule, ProgramRecord } from "../record.ts";
import { byOptions, isFile, onThisMachine, options, verbs, WRITES, WRITING } from "../rules/effects.ts";
import { packs } from "../rules/filters.ts";
import { runsTexts, valuesBehind } from "../rules/texts.ts";

const UNPACKS = optionTable("C d f o directory file strip-components depth branch origin");

/** The directory that an archive is unpacked in; null where nothing is unpacked. */
function untarred(args: readonly string[]): string | null {
  const unpacks = args.some((arg, at) => (at === 0 ? /^-?\w*x/.test(arg) : /^-\w*x|^--(extract|get)$/.test(arg)));
  const bundled = args[0] !== undefined && !args[0].startsWith("-") ? [`-${args[0]}`, ...args.slice(1)] : args;
  return unpacks ? (optionValue(parseOptions(bundled, UNPACKS), "C", "directory") ?? ".") : null;
}

/** `gunzip sub/x.sh.gz` writes into `sub`. */
const directoryOfFirst = (args: readonly string[]): string | null => {
  const [first] = parseOptions(args).operands;
  return first === undefined ? null : first.includes("/") ? first.slice(0, first.lastIndexOf("/")) : ".";
};

const unzipped = (args: readonly string[]): string | null => optionValue(parseOptions(args, UNPACKS), "d") ?? ".";

const extracted = (args: readonly string[]): string | null =>
  /^[xe]$/.test(args[0] ?? "") ? (optionValue(parseOptions(args, UNPACKS), "o") ?? ".") : null;

const copiedIn = (args: readonly string[]): string | null =>
  args.some((arg) => /^-\w*i|^--extract/.test(arg)) ? "." : null;

/** Listing and unpacking to standard output look; so does an archive that goes there. */
const tarEffect: EffectRule = ([, first = "", ...rest]) => {
  const args = [first.startsWith("-") ? first : `-${first}`, ...rest];
  const parsed = parseOptions(args, { short: "fCTXbgIHKN", long: ["file", "directory", "exclude"] });
  if (has(parsed, "to-command", "checkpoint-action", "use-compress-program", "I")) return "unknown";
  if (has(parsed, "t", "list", "d", "diff", "compare", "version", "help")) return "reads";
  if (has(parsed, "x", "extract", "get")) return has(parsed, "O", "to-stdout") ? "reads" : { changes: "writes files" };
  if (has(parsed, "c", "create"))
    return isFile(optionValue(parsed, "f", "file")) ? { changes: "writes files" } : "reads";
  return has(parsed, "r", "append", "u", "update", "A", "concatenate", "delete")
    ? { changes: "writes files" }
    : "unknown";
};

const runsOptions = runsTexts(
  valuesBehind(
    /^--(checkpoint-action=exec=|to-command=?|use-compress-program=?|rsh-command=?|info-script=?|new-volume-script=?)|^-[IF]/,
  ),
);

/** Without a file they pass standard input on. */
const compressor = byOptions("S o suffix", (parsed) => {
  if (has(parsed, "o")) return { changes: WRITES };
  const looks = has(parsed, "c", "stdout", "to-stdout", "l", "list", "t", "test", "V", "h");
  return looks || parsed.operands.every((operand) => operand === "-") ? "reads" : { changes: WRITES };
});

const unrarEffect = verbs(WRITES, "l lb lt v vb vt t p", "x e a d f m u");

const TAR_VARIABLE: NonNullable<ProgramRecord["commands"]> = {
  variables: "TAR_OPTIONS",
  within:
    /--(?:checkpoint-action=exec|to-command|use-compress-program|rsh-command|info-script|new-volume-script)[=\s](?:"([^"]*)"|'([^']*)'|((?:\\.|[^\s\\])+))/g,
};

/** `tar --remove-files` deletes the files that its list names. */
const TAR_LIST: NonNullable<ProgramRecord["obeys"]> = [
  { when: /--remove/, options: "T files-from", valued: "f C", holds: /^\/(?:[^/\n]*\/?)$|\.\./m },
  { when: /(?=.*--remove).*(?:-\w*C|--directory)[\s=]*\/(?:\s|$)/, options: "T files-from", valued: "f C" },
];

const TAR_CONSEQUENCES: Consequences = { deletes_data: /(?:^|\s)--(?:remove-files|delete)(?=\s|$)/ };

const TAR_WRITES: NonNullable<ProgramRecord["writes"]> = {
  when: /^-?\w*[cruA]\w*(?=\s|$)|--(?:create|append|update|catenate|concatenate|delete)\b/,
  words: /^(\/dev\/.+)$/,
  options: "f file",
};

const PACKER_DELETES: NonNullable<ProgramRecord["deletes"]> = {
  when: /(?:^|\s)-(?:sdel|df)(?=\s|$)/,
  skip: 2,
  operands: "all",
};

const SUFFIX = /\.(?:gz|bz2|xz|lzma|zst|lz4|Z)$/;

/** `xz -d x.xz` writes x, with what the plan has packed. */
const inPlace: Program = (argv, state, machine) => {
  const parsed = parseOptions(argv.slice(1));
  const unpacks = has(parsed, "d", "decompress", "uncompress") && !has(parsed, "c", "stdout", "to-stdout");
  for (const file of unpacks ? parsed.operands.filter((path) => SUFFIX.test(path) && isWritten(path, state)) : [])
    record({ path: file.replace(SUFFIX, ""), append: false, text: packs(["", file], state, machine) }, state, machine);
  return packs(argv, state, machine);
};

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    {
      names: "tar",
      runs: runsOptions,
      effect: tarEffect,
      consequences: TAR_CONSEQUENCES,
      writes: TAR_WRITES,
      deletes: { when: /--remove/, packs: true },
      commands: TAR_VARIABLE,
      obeys: TAR_LIST,
      applies: { options: "T files-from", valued: "f C" },
      unpacks: untarred,
      rewrites: true,
    },
    {
      names: "gtar bsdtar",
      runs: runsOptions,
      effect: tarEffect,
      consequences: TAR_CONSEQUENCES,
      writes: TAR_WRITES,
      deletes: { when: /--remove/, packs: true },
      applies: { options: "T files-from", valued: "f C" },
      unpacks: untarred,
      rewrites: true,
    },
    {
      names: "zip",
      runs: runsTexts(valuesBehind(/^(-TT|--unzip-command=?)/)),
      effect: { changes: WRITES },
      consequences: { deletes_data: /(?:^|\s)(?:-\w*m\w*|--move|-d|--delete)(?=\s|$)/ },
      writes: { operands: "first", valued: "b x i t n" },
      deletes: { when: /(?:^|\s)(?:-\w*m\w*|--move)(?=\s|$)/, valued: "b n x i t tt", skip: 1, operands: "all" },
    },
    { names: "gzip bzip2 xz zstd", runs: inPlace, effect: compressor, paths: { operands: "all" } },
    { names: "gunzip", runs: packs, effect: compressor, paths: { operands: "all" }, unpacks: directoryOfFirst },
    {
      names: "unzip",
      effect: options({ why: WRITES, reads: "l p c t Z v z", otherwise: { changes: WRITES } }),
      paths: { options: "d", valued: "x" },
      unpacks: unzipped,
      rewrites: true,
    },
    {
      names: "7z",
      effect: verbs(WRITES, "l t i", "a d e u x rn"),
      writes: { when: /^-?[aruqcd]+\w*\s/, operands: "second" },
      deletes: PACKER_DELETES,
      unpacks: extracted,
      rewrites: true,
    },
    {
      names: "cpio",
      effect: options({
        why: WRITES,
        changes: "p pass-through O",
        reads: "t list o create",
        otherwise: { changes: WRITES },
      }),
      sideEffects: { when: /-\w*[oO]\w*\s.*(?:-\w*F|--file)|-\w*oF/, effect: WRITING },
      writes: { when: /(?:^|\s)(?:-\w*[op]\w*|--create|--pass-through)(?=\s|$)/, options: "F O file" },
      applies: { input: "redirected" },
      unpacks: copiedIn,
      rewrites: true,
    },
  ]),
  { names: "bunzip2 unxz", runs: packs, effect: compressor, unpacks: directoryOfFirst },
  { names: "lzma pigz compress", effect: compressor },
  { names: "unlzma unzstd unpigz uncompress", effect: compressor, unpacks: directoryOfFirst },
  { names: "lz4", effect: compressor, writes: { operands: "second", valued: "f s w c l s" } },
  {
    names: "7za",
    effect: verbs(WRITES, "l t i", "a d e u x rn"),
    writes: { when: /^-?[aruqcd]+\w*\s/, operands: "second" },
    deletes: PACKER_DELETES,
    unpacks: extracted,
    rewrites: true,
  },
  {
    names: "7zr",
    effect: verbs(WRITES, "l t i", "a d e u x rn"),
    writes: { when: /^-?[aruqcd]+\w*\s/, operands: "second" },
    unpacks: extracted,
    rewrites: true,
  },
  { names: "unrar", effect: unrarEffect, unpacks: extracted, rewrites: true },
  {
    names: "rar",
    effect: unrarEffect,
    writes: { when: /^-?[aruqcd]+\w*\s/, operands: "second" },
    deletes: PACKER_DELETES,
  },
  {
    names: "ar",
    effect: ([, mode = ""]) => (/^-?[tp]/.test(mode) ? "reads" : { changes: WRITES }),
    writes: { when: /^-?[aruqcd]+\w*\s/, operands: "second" },
  },
  { names: "mksquashfs", writes: { operands: "last", valued: "m o g t S O f" } },
  { names: "pax", writes: { when: /(?:^|\s)-\w*w/, options: "f" } },
  { names: "unlz4", unpacks: directoryOfFirst },
];
