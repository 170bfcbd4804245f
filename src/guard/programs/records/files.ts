// Holds the records of programs that show, list, name, compare or write files.
import type { Output, Program } from "../../interpreter/machine.ts";
import { inputOf, record } from "../../interpreter/redirects.ts";
import { deeper, weightOf } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { has, optionValue, parseOptions } from "../../words/options.ts";
import { alternatives, hasGlob, SOME, STAR, UNKNOWN } from "../../words/symbols.ts";
import type { ProgramRecord, StartedBy } from "../record.ts";
import { DELETES, onThisMachine, options, unlessDry, WRITES, WRITING } from "../rules/effects.ts";
import { operandsOf } from "../rules/filters.ts";
import { ANY } from "../rules/select.ts";
import { each, runsTexts, valuesBehind } from "../rules/texts.ts";

const ROTATIONS: readonly StartedBy[] = [
  {
    files: /^\/etc\/logrotate(?:\.conf$|\.d\/)/,
    commands: each(/^\s*(?:\S.*\{\s*)?(?:pre|post|first|last)(?:rotate|action)\s*\n([\s\S]*?)^\s*endscript/gm),
  },
];

const cat: Program = ([, ...args], state) => inputOf(operandsOf(args), state);

const tee: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args);
  const text = state.io.stdin ?? [""];
  for (const path of parsed.operands) {
    machine.tick(weightOf(state));
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

const resolved: Program = ([, ...args], state, machine) => {
  const { operands } = parseOptions(args);
  const targets = (cwd: string) => operands.map((path) => machine.linkTarget(absolute(path, cwd)));
  return alternatives(state.location.cwd.map((cwd) => targets(cwd).join("\n")));
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

const lessEffect = options({ why: WRITES, changes: "o O log-file LOG-FILE", valued: "o O b h j k p P t T x y z" });

/** `-Comment=x` writes a tag; `-Comment` and short options of letters print. */
const PRINTS_TAGS = /^(?!-)|^-(?:s+|S|a|G\d*|u|U|j|json|n|ver|[A-Z]\w+)$/;

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    { names: "mktemp", runs: temporary, effect: temporaryEffect },
    { names: "tempfile", effect: temporaryEffect },
    { names: "link csplit rename", effect: { changes: WRITES } },
    { names: "mkfifo mknod", effect: { changes: WRITES }, writesKnown: true },
    {
      names: "sponge",
      effect: { changes: WRITES },
      paths: { operands: "all" },
      writes: { operands: "all", valued: "l o" },
      fills: true,
    },
    {
      names: "touch",
      prints: "nothing",
      effect: { changes: WRITES },
      paths: { operands: "all", valued: "d r t date reference" },
      writesKnown: true,
    },
    {
      names: "mkdir",
      prints: "nothing",
      effect: { changes: WRITES },
      paths: { operands: "all", valued: "m mode" },
      writesKnown: true,
    },
    { names: "split", runs: runsTexts(valuesBehind(/^--filter=?/)), effect: { changes: WRITES } },
    {
      names: "patch",
      effect: unlessDry("dry-run", { changes: WRITES }),
      applies: { options: "i input", operands: /\.(?:patch|diff)$/, input: "all" },
      rewrites: true,
    },
    {
      names: "logrotate",
      effect: unlessDry("d debug", { changes: WRITES }, "s state l log"),
      applies: { operands: ANY, valued: "s state l log" },
      // The usual places are read (ROTATIONS).
      obeys: {
        unless: /(?:^|\s)(?:-\w*d|--debug)(?=\s|$)/,
        operands: /^(?!\/etc\/logrotate(?:\.conf$|\.d\/))/,
        valued: "s state l log",
        holds:
          /^\s*(?:\S.*\{\s*)?(?:(?:pre|post|first|last)(?:rotate|action)|(?:un)?compresscmd|mail|preremove|include)\b/m,
      },
      startedBy: ROTATIONS,
      writesKnown: true,
    },
    {
      names: "ldconfig",
      effect: options({ why: WRITES, reads: "p print-cache", otherwise: { changes: WRITES } }),
      writesKnown: true,
    },
  ]),
  {
    names: "tee",
    runs: tee,
    effect: "reads",
    suspected: 16,
    passes: true,
    paths: { operands: "all" },
    writesKnown: true,
  },
  { names: "cat", runs: cat, effect: "reads", takesData: true, passes: true },
  { names: "gcat", runs: cat, effect: "reads" },
  { names: "pv", runs: cat, effect: "reads", sideEffects: { long: "output", words: /^-\w*o/, effect: WRITING } },
  { names: "ls", runs: list, effect: "reads", takesData: true },
  { names: "stat", runs: stat, effect: "reads" },
  { names: "file", prints: "anything", effect: "reads" },
  { names: "dirname", runs: dirName, effect: "reads" },
  { names: "basename", runs: baseOf, effect: "reads" },
  { names: "realpath readlink", runs: resolved, effect: "reads" },
  { names: "pwd", runs: (_argv, state) => state.location.cwd, effect: "reads", builtin: true },
  { names: "which", runs: which, effect: "reads" },
  {
    names:
      "dir vdir exa eza lz4cat more most nl du cmp diff diff3 colordiff comm md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum cksum sum crc32 od hexdump hd strings namei locate plocate mlocate getfacl getfattr lsattr getcap readelf nm objdump size zipinfo mountpoint pathchk sync",
    effect: "reads",
  },
  { names: "bat batcat", effect: "reads", sideEffects: { long: "pager", effect: "unknown" } },
  { names: "df lsof", effect: "reads", otherOutput: true },
  { names: "ncdu", effect: "reads", sideEffects: { words: /^-\w*[oO](?!-$)/, effect: WRITING } },
  {
    names: "less",
    runs: runsTexts(valuesBehind(/^\+{1,2}!/)),
    effect: (argv, state) => (argv.some((word) => /^\+.*[!|]/.test(word)) ? "unknown" : lessEffect(argv, state)),
  },
  { names: "tree", effect: options({ why: WRITES, changes: "o", valued: "o L P I H T" }) },
  { names: "sdiff", effect: options({ why: WRITES, changes: "o output", valued: "o w" }) },
  { names: "dos2unix", effect: { changes: WRITES }, paths: { operands: "all" } },
  { names: "unix2dos mkisofs genisoimage updatedb", effect: { changes: WRITES } },
  {
    names: "fallocate",
    effect: { changes: WRITES },
    paths: { operands: "all", valued: "l o length offset" },
    writes: { operands: "all", valued: "l o" },
  },
  { names: "xorriso", effect: { changes: WRITES }, writes: { words: /^(?:dev=)?(?:stdio:)?(\/dev\/(?!sr|cd|dvd).+)/ } },
  {
    names: "inotifywait inotifywatch",
    effect: options({ why: WRITES, changes: "o outfile d daemon", valued: "o outfile e t" }),
  },
  { names: "duf dust dutree", looks: "*" },
  { names: "gdu gdu-go", looks: "*", unless: "o D db read-from-storage" },
  { names: "ldd", looks: "*" },
  { names: "exiftool", effect: ([, ...args]) => (args.every((arg) => PRINTS_TAGS.test(arg)) ? "reads" : "unknown") },
  { names: "gio del-cli", deletes: { when: /^(?!list|info)/, operands: "all" } },
  {
    names: "bleachbit",
    looks: "--list, --preview, --sysinfo",
    consequences: { deletes_data: /(?:^|\s)(?:-c|--clean|-s|--shred)(?=\s|$)/ },
  },
  { names: "trash-empty", consequences: { deletes_data: true } },
  {
    names: "fdupes jdupes",
    effect: options({
      why: DELETES,
      changes: "d delete I immediate",
      unsure: "B dedupe L linkhard l linksoft",
      valued: "C chunksize G minsize o order x xsize X ext-filter P print",
    }),
  },
  {
    names: "rdfind",
    consequences: { deletes_data: /^(?!.*-(?:dryrun|n) true)(?:.*\s)?-deleteduplicates true(?=\s|$)/ },
  },
  { names: "czkawka_cli", consequences: { deletes_data: /(?:^|\s)(?:-D|--delete-method|--delete-files)(?=[\s=]|$)/ } },
];
