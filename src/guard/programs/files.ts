// Programs that show, list, name, compare, pack or write files.
import type { Output, Program } from "../interpreter/machine.ts";
import { inputOf, record } from "../interpreter/redirects.ts";
import { deeper, weightOf } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { has, optionValue, parseOptions } from "../words/options.ts";
import { alternatives, hasGlob, SOME, STAR, UNKNOWN } from "../words/symbols.ts";
import { operandsOf, packs } from "./filters.ts";
import { byOptions, COMPLETIONS, options, type ProgramRecord, unlessDry, verbs } from "./record.ts";
import { runsTexts, valuesBehind } from "./runs-texts.ts";

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

export const TEE: readonly ProgramRecord[] = [
  { names: "tee", runs: tee, effect: "reads", suspected: "as a pattern", passes: true },
];

const WRITES = "writes files";

/** Without a file they pass standard input on. */
const compressor = byOptions("S o suffix", (parsed) => {
  if (has(parsed, "o")) return { changes: WRITES };
  const looks = has(parsed, "c", "stdout", "to-stdout", "l", "list", "t", "test", "V", "h");
  return looks || parsed.operands.every((operand) => operand === "-") ? "reads" : { changes: WRITES };
});

const lessEffect = options({ why: WRITES, changes: "o O log-file LOG-FILE", valued: "o O b h j k p P t T x y z" });

export const FILES: readonly ProgramRecord[] = [
  { names: "cat", runs: cat, effect: "reads", takesData: true, passes: true },
  { names: "gcat pv", runs: cat, effect: "reads" },
  { names: "ls", runs: list, effect: "reads", takesData: true },
  { names: "stat", runs: stat, effect: "reads" },
  { names: "file", prints: "anything", effect: "reads" },
  { names: "dirname", runs: dirName, effect: "reads" },
  { names: "basename", runs: baseOf, effect: "reads" },
  { names: "realpath readlink", runs: resolved, effect: "reads" },
  { names: "pwd", runs: (_argv, state) => state.location.cwd, effect: "reads", builtin: true },
  { names: "which", runs: which, effect: "reads" },
  { names: "mktemp", runs: temporary, effect: temporaryEffect },
  { names: "tempfile", effect: temporaryEffect },
  {
    names: `dir vdir exa eza lz4cat more most bat batcat nl du df ncdu cmp diff diff3 colordiff comm md5sum
    sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum cksum sum crc32 od hexdump hd strings
    namei locate plocate mlocate getfacl getfattr lsattr getcap readelf nm objdump size zipinfo lsof
    mountpoint pathchk sync`,
    effect: "reads",
  },
  {
    names: "less",
    runs: runsTexts(valuesBehind(/^\+{1,2}!/)),
    effect: (argv, state) => (argv.some((word) => /^\+.*[!|]/.test(word)) ? "unknown" : lessEffect(argv, state)),
  },
  { names: "tree", effect: options({ why: WRITES, changes: "o", valued: "o L P I H T" }) },
  { names: "sdiff", effect: options({ why: WRITES, changes: "o output", valued: "o w" }) },
  {
    names: `link mkfifo mknod csplit rename sponge dos2unix unix2dos fallocate mkisofs genisoimage xorriso
    updatedb`,
    effect: { changes: WRITES },
  },
  { names: "touch mkdir", prints: "nothing", effect: { changes: WRITES } },
  { names: "split", runs: runsTexts(valuesBehind(/^--filter=?/)), effect: { changes: WRITES } },
  { names: "zip", runs: runsTexts(valuesBehind(/^(-TT|--unzip-command=?)/)), effect: { changes: WRITES } },
  { names: "patch", effect: unlessDry("dry-run", { changes: WRITES }) },
  { names: "gzip gunzip bzip2 bunzip2 xz unxz zstd", runs: packs, effect: compressor },
  { names: "lzma unlzma unzstd lz4 pigz unpigz compress uncompress", effect: compressor },
  { names: "unzip", effect: options({ why: WRITES, reads: "l p c t Z v z", otherwise: { changes: WRITES } }) },
  { names: "7z 7za 7zr", effect: verbs(WRITES, "l t i", "a d e u x rn") },
  { names: "unrar rar", effect: verbs(WRITES, "l lb lt v vb vt t p", "x e a d f m u") },
  {
    names: "cpio",
    effect: options({
      why: WRITES,
      changes: "p pass-through O",
      reads: "t list o create",
      otherwise: { changes: WRITES },
    }),
  },
  { names: "ar", effect: ([, mode = ""]) => (/^-?[tp]/.test(mode) ? "reads" : { changes: WRITES }) },
  {
    names: "rclone",
    printsSetup: COMPLETIONS,
    effect: unlessDry(
      "n dry-run",
      verbs(
        WRITES,
        "ls lsd lsl lsf lsjson size check cryptcheck about version listremotes tree cat md5sum sha1sum hashsum",
        "copy copyto move moveto sync bisync delete deletefile purge rmdir rmdirs mkdir touch cleanup dedupe settier rcat link backend",
        {
          valued: "--config",
          rules: [
            [
              "config",
              verbs(
                WRITES,
                "file show paths dump redacted providers",
                "create update delete reconnect password edit touch disconnect",
              ),
            ],
          ],
        },
      ),
      "config",
    ),
  },
  {
    names: "restic",
    printsSetup: COMPLETIONS,
    effect: unlessDry(
      "n dry-run",
      verbs(
        "changes a backup",
        "snapshots stats check ls find diff list cat version dump",
        "backup forget prune init restore tag unlock rewrite repair migrate copy",
        {
          valued: "-r --repo -p --password-file --cache-dir -o",
          rules: [["key", verbs("changes a backup", "list", "add remove passwd")]],
        },
      ),
      "r p o repo password-file cache-dir",
    ),
  },
  {
    names: "borg",
    effect: unlessDry(
      "n dry-run",
      verbs(
        "changes a backup",
        "list info diff check version",
        "create delete prune compact init extract rename mount umount recreate upgrade",
      ),
    ),
  },
  { names: "logrotate", effect: unlessDry("d debug", { changes: WRITES }, "s state l log") },
  {
    names: "inotifywait inotifywatch",
    effect: options({ why: WRITES, changes: "o outfile d daemon", valued: "o outfile e t" }),
  },
  { names: "ldconfig", effect: options({ why: WRITES, reads: "p print-cache", otherwise: { changes: WRITES } }) },
  {
    names: "gpg gpg2",
    effect: options({ reads: "k K list-keys list-secret-keys verify list-packets fingerprint", otherwise: "unknown" }),
  },
];
