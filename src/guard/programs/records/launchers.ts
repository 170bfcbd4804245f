// Holds the records of programs that run the command after their own options, or one for each line of their input.
import type { Program } from "../../interpreter/machine.ts";
import { contentsOf } from "../../interpreter/redirects.ts";
import { deeper, fork } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { decodeFormat } from "../../words/escapes.ts";
import { has, type OptionTable, optionTable, optionValue, parseOptions, words } from "../../words/options.ts";
import { DEEP, hasGlob, isUnknown, quoted, UNKNOWN } from "../../words/symbols.ts";
import type { EffectRule, ProgramRecord } from "../record.ts";
import { options, WRITES } from "../rules/effects.ts";
import { launched, launches } from "../rules/launch.ts";

/** Runs what follows in this very shell: `command cd /`. `command -v rm` only looks rm up. */
const command: Program = ([, ...args], state, machine) => {
  const { options, operands } = parseOptions(args, undefined, false);
  if (options.some(({ name }) => name === "v" || name === "V")) return [args.at(-1) ?? ""];
  state.frame.direct = true;
  state.frame.launches += 1;
  const output = machine.runArgv(operands, state);
  state.frame.direct = false;
  state.frame.launches -= 1;
  return output;
};

/** `start-stop-daemon --start --exec /bin/x -- arguments`. */
const startStop: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, {
    short: "xanpucdNPI",
    long: words("exec startas name pidfile user group chuid chdir"),
  });
  const program = optionValue(parsed, "a", "startas") ?? optionValue(parsed, "x", "exec");
  return program === null ? [UNKNOWN] : machine.runArgv([program, ...parsed.operands], launched(state));
};

const runChroot = launches("userspec groups", { skip: 1 });

/** The command starts in the root that it is given. */
const changedRoot: Program = (argv, state, machine) => {
  const [root = "/"] = parseOptions(argv.slice(1), optionTable("userspec groups"), false).operands;
  const cwd = state.location.cwd.map((path) => absolute(root, path));
  return runChroot(argv, fork(state, { location: { cwd } }), machine);
};

/** With `-p` it looks at a process, with a class as well it changes one. */
const ionice: EffectRule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "cnpPu", long: ["class", "classdata", "pid"] }, false);
  const sets = has(parsed, "p", "P", "u", "pid") && has(parsed, "c", "n", "class", "classdata");
  return sets ? { changes: "changes the priority of processes" } : "reads";
};

const traceEffect = options({ why: WRITES, valued: "o output e p P s u a b E O S X", changes: "o output" });

const runPlain = launches("");

const TABLE: OptionTable = {
  short: "adEILnPs",
  long: ["arg-file", "delimiter", "replace", "max-lines", "max-args", "max-procs", "max-chars"],
};

const xargs: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, TABLE, false);
  const command = parsed.operands.length === 0 ? ["echo"] : parsed.operands;
  const mark = optionValue(parsed, "I", "replace") ?? (has(parsed, "i", "replace") ? "{}" : null);
  const file = optionValue(parsed, "a", "arg-file");
  const texts = file === null ? (state.io.stdin ?? [""]) : contentsOf(file, state);
  const io = { stdin: file === null ? null : state.io.stdin };
  // The output of find is kept as lines, with any separator between its paths.
  const separator = has(parsed, "0", "null")
    ? texts.some((text) => hasGlob(text) || isUnknown(text))
      ? /[\0\n]/
      : "\0"
    : separatorOf(optionValue(parsed, "d", "delimiter"), mark !== null);
  const named = has(parsed, "0", "null", "d", "delimiter");
  // Without input the command runs once, but for -r; what is not known may be no input.
  if (mark === null && !has(parsed, "r", "no-run-if-empty")) machine.provedOnly().runArgv(command, fork(state, { io }));
  return texts.flatMap((text) => {
    const items = separator === null ? quotedWords(text) : itemsOf(text, separator, named && !text.includes(DEEP));
    // Which of the files that match a pattern comes first is not known.
    const each = has(parsed, "n", "max-args", "L", "max-lines") || items.some(hasGlob);
    const lines =
      mark === null
        ? [[...command, ...items], ...(each ? items.map((item) => [...command, item]) : [])]
        : items.map((item) => command.map((word) => word.replaceAll(mark, () => item)));
    return lines.flatMap((argv) => machine.runArgv(argv, fork(state, { io })));
  });
};

/** Between separators that the call names, an item may be blank or empty; no line is. */
function itemsOf(text: string, separator: RegExp | string, named: boolean): readonly string[] {
  const items = text.split(separator);
  return named ? items.slice(0, items.at(-1) === "" ? -1 : undefined) : items.filter((item) => item.trim() !== "");
}

/** Null: words as xargs reads them, where quotes and backslashes keep blanks. */
function separatorOf(delimiter: string | null, lines: boolean): RegExp | string | null {
  if (delimiter === null) return lines ? "\n" : null;
  const char = decodeFormat(delimiter).charAt(0);
  return char === "\0" ? /[\0\n]/ : char;
}

const quotedWords = (text: string): readonly string[] =>
  [...text.matchAll(/(?:"[^"]*"|'[^']*'|\\[\s\S]|[^\s"'\\])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'|\\([\s\S])/g, (_, double, single, escaped) => double ?? single ?? escaped),
  );

const parallel: Program = ([, ...args], state, machine) => {
  const { operands } = parseOptions(args, { short: "jnNISa", long: ["jobs", "max-procs", "colsep", "joblog"] }, false);
  const at = operands.findIndex((word) => word.startsWith(":::"));
  const command = at < 0 ? operands : operands.slice(0, at);
  const items = at < 0 ? (state.io.stdin ?? [""]).flatMap((text) => text.split("\n")) : operands.slice(at + 1);
  const text = command.join(" ");
  return items
    .filter((item) => item !== "")
    .flatMap((item) => {
      return machine.runText(text === "" ? item : parallelLine(text, item), deeper(state));
    });
};

/** It quotes what it puts in, which within quotes of the text may end them. */
function parallelLine(text: string, item: string): string {
  if (!text.includes("{}")) return `${text} ${quoted(item)}`;
  return text.replaceAll("{}", () => (/["']/.test(text) ? item : quoted(item)));
}

const XARGS_APPLIES: NonNullable<ProgramRecord["applies"]> = {
  options: "a arg-file",
  valued: "d E I L n P s j jobs",
  input: "redirected",
};

export const RECORDS: readonly ProgramRecord[] = [
  { names: "busybox", runs: runPlain, effect: "reads", suspected: 32, suspectedInWords: true, launches: true },
  {
    names: "nohup toybox unbuffer rlwrap tini dumb-init catchsegv setsid",
    runs: runPlain,
    effect: "reads",
    launches: true,
  },
  { names: "fakeroot chronic eatmydata torsocks", runs: runPlain, launches: true },
  { names: "exec", runs: launches("a"), effect: "reads", builtin: true, launches: true },
  { names: "command builtin", runs: command, effect: "reads", builtin: true, launches: true },
  { names: "nice", runs: launches("n adjustment"), effect: "reads", launches: true },
  { names: "ionice", runs: launches("c n p P u class classdata"), effect: ionice, launches: true },
  { names: "chrt", runs: launches("T P D", { skip: 1 }), effect: "reads", launches: true },
  { names: "taskset", runs: launches("", { skip: 1 }), effect: "reads", launches: true },
  { names: "timeout", runs: launches("k s kill-after signal", { skip: 1 }), effect: "reads", launches: true },
  {
    names: "time",
    runs: launches("f o format output"),
    effect: options({ why: WRITES, valued: "o output f format", changes: "o output" }),
    launches: true,
  },
  { names: "stdbuf", runs: launches("i o e input output error"), effect: "reads", launches: true },
  { names: "chroot", runs: changedRoot, effect: "reads", launches: true },
  {
    names: "flock",
    runs: launches("w E c timeout wait command conflict-exit-code", { skip: 1, text: ["c", "command"] }),
    effect: "unknown",
    launches: true,
  },
  { names: "watch", runs: launches("n q interval equexit", { joined: true }), effect: "reads", launches: true },
  {
    names: "script",
    runs: launches("c E I O B T m o command", { text: ["c", "command"], account: true }),
    effect: { changes: WRITES },
    writes: { operands: "first", valued: "c E I O B T m o" },
    launches: true,
  },
  { names: "unshare", runs: launches("S G R w setuid setgid root wd"), effect: "reads", launches: true },
  { names: "nsenter", runs: launches("t S G N target setuid setgid"), effect: "reads", launches: true },
  {
    names: "strace",
    runs: launches("a b e E o O p P s S u X"),
    effect: traceEffect,
    commands: { options: "o output", valued: "a b e E O p P s S u X", stops: true, within: /^[|!](.+)$/gs },
    launches: true,
  },
  { names: "ltrace", runs: launches("a D e F l n o p s u w x"), effect: traceEffect, launches: true },
  {
    names: "systemd-run",
    runs: launches("p E u M H unit property setenv slice uid gid description working-directory machine", {
      directory: ["working-directory"],
    }),
    effect: "unknown",
    applies: { options: "EnvironmentFile", operands: /\.conf$/ },
    launches: true,
  },
  { names: "caffeinate", runs: launches("t w"), effect: "reads", launches: true },
  { names: "start-stop-daemon", runs: startStop, launches: true },
  {
    names: "xargs",
    runs: xargs,
    effect: "reads",
    suspected: 29,
    suspectedInWords: true,
    applies: XARGS_APPLIES,
  },
  {
    names: "parallel",
    runs: parallel,
    effect: "reads",
    applies: XARGS_APPLIES,
  },
];
