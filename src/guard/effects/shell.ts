// The shell itself, and the programs that run what stands behind them. What they run arrives as a command of its own, so
// they count as looking unless they do something besides.
import { parseOptions } from "../shell/options.ts";
import { isWritten } from "../shell/redirects.ts";
import {
  changes,
  changing,
  type Family,
  options,
  READS,
  type Rule,
  reads,
  UNSURE,
  unlessDry,
  unsure,
} from "./effect.ts";

const WRITES = "writes files";

/** `bash file` runs what nobody has read here, unless the program wrote that file itself. */
const shell: Rule = ([, ...args], state) => {
  const { options: flags, operands } = parseOptions(args, { short: "oO", long: ["rcfile", "init-file"] }, false);
  const [script] = operands;
  const shown = flags.some(({ name }) => /^(c|n|s|version|help)$/.test(name));
  return shown || script === undefined || isWritten(script, state) ? READS : UNSURE;
};

const source: Rule = ([, ...args], state) => {
  const [path] = args[0] === "--" ? args.slice(1) : args;
  return path === undefined || path === "/dev/null" || isWritten(path, state) ? READS : UNSURE;
};

/** `kill -0` and `kill -l` only ask. */
const kill: Rule = ([, ...args]) => {
  const asks = /^(-0|-l|-L|--list|--table)$/.test(args[0] ?? "") || (/^-[sn]$/.test(args[0] ?? "") && args[1] === "0");
  return asks ? READS : changes("sends signals to processes");
};

/** Code in another language is not read; `python3 -m json.tool` is a way to print. */
const python: Rule = ([, ...args]) => {
  if (args.every((arg) => /^(-V+|--version|-h|--help)$/.test(arg)) && args.length > 0) return READS;
  const [module, first = "", ...more] = args[0] === "-m" ? args.slice(1) : [];
  if (module === "json.tool") return more.filter((arg) => !arg.startsWith("-")).length > 0 ? UNSURE : READS;
  if (module === "pip") return /^(list|show|freeze|check|--version)$/.test(first) ? READS : UNSURE;
  return /^(site|platform|sysconfig)$/.test(module ?? "") ? READS : UNSURE;
};

const onlyVersion: Rule = ([, ...args]) =>
  args.length > 0 && args.every((arg) => /^-{1,2}(v|V|version|h|help)$/.test(arg)) ? READS : UNSURE;

/** A makefile may run programs while it is only read. */
const dryMake = unlessDry(
  "n just-print dry-run recon q question",
  changing("builds files"),
  "C f I j l o W directory file",
);

export const SHELL: Family = [
  [". source", source],
  [
    `: [ [[ alias bg break builtin caller cd command compgen complete compopt continue declare dirs disown echo eval
    exec exit export false fc fg getopts hash help history jobs let local logout mapfile popd printf pushd pwd read
    readarray readonly return set shift shopt sleep suspend test times trap true type typeset ulimit umask unalias unset
    wait which whereis man apropos whatis info tldr`,
    reads,
  ],
  ["enable", options({ unsure: "f", valued: "f" })],
  ["kill", kill],
  ["bash sh dash zsh ksh ash mksh rbash fish", shell],
  [
    `sudo doas pkexec nohup busybox toybox unbuffer rlwrap tini dumb-init catchsegv nice timeout setsid stdbuf
    chroot su runuser sg gosu su-exec setpriv unshare nsenter sshpass caffeinate env xargs parallel watch chrt taskset`,
    reads,
  ],
  ["sudoedit", changing(WRITES)],
  ["time", options({ why: WRITES, valued: "o output f format", changes: "o output" })],
  ["strace ltrace", options({ why: WRITES, valued: "o output e p P s u a b E O S X", changes: "o output" })],
  ["script", changing(WRITES)],
  ["python python2 python3 pypy3", python],
  ["node nodejs perl ruby lua deno java Rscript osascript", onlyVersion],
  ["php", ([, first = ""]) => (/^-([vilm]|-version|-info|-modules|-syntax-check)$/.test(first) ? READS : UNSURE)],
  ["make gmake", (argv, state) => (dryMake(argv, state).is === "reads" ? UNSURE : dryMake(argv, state))],
  ["ninja cmake meson bazel", changing("builds files")],
  ["systemd-run flock expect gdb", unsure],
];
