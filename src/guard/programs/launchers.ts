// Programs that run the command after their own options.
import { setVariable } from "../interpreter/arithmetic.ts";
import type { Machine, Output, Program } from "../interpreter/machine.ts";
import { deeper, fork, keepFiles, type State, weightOf } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { has, optionTable, optionValue, parseOptions, words } from "../words/options.ts";
import { UNKNOWN } from "../words/symbols.ts";
import { type EffectRule, options, type ProgramRecord } from "./record.ts";
import { shell } from "./shells.ts";

/**
 * `skip`: operands before the command. `assigns`: NAME=value may come first. `text`: an option that holds shell text.
 * `directory`: an option that holds the working directory. `joined`: the words are joined and given to a shell.
 */
type Launch = {
  readonly skip?: number;
  readonly assigns?: boolean;
  readonly text?: readonly string[];
  readonly directory?: readonly string[];
  readonly joined?: boolean;
  /** Operands name an account and the command is in `text`, unless an option names the account. */
  readonly account?: boolean;
};

export const launched = (state: State): State => fork(state, { frame: { launches: state.frame.launches + 1 } });

/** `valued`: the program's own options that take a value. */
export function launches(valued: string, launch: Launch = {}): Program {
  const table = optionTable(valued);
  return ([, ...args], state, machine) => {
    const named = args.some((arg) => /^(-u.*|--user(=.*)?)$/.test(arg));
    const permute = launch.account === true && !named;
    const parsed = parseOptions(args, table, permute);
    const inner = launched(state);
    const directory = optionValue(parsed, ...(launch.directory ?? []));
    if (directory !== null) inner.location.cwd = state.location.cwd.map((cwd) => absolute(directory, cwd));
    const text = optionValue(parsed, ...(launch.text ?? []));
    if (text !== null) return runDeeper(text, inner, machine);
    const words = permute ? [] : parsed.operands.slice(launch.skip ?? 0);
    const rest = launch.assigns === true ? assignedWords(words, inner, machine) : words;
    if (rest.length === 0) return shell(["sh"], inner, machine);
    if ((rest[0] === "-c" || rest[0] === "--command") && rest[1] !== undefined)
      return runDeeper(rest[1], inner, machine);
    const output = launch.joined === true ? runDeeper(rest.join(" "), inner, machine) : machine.runArgv(rest, inner);
    keepFiles(state, inner);
    return output;
  };
}

export const runDeeper = (text: string, state: State, machine: Machine): Output => machine.runText(text, deeper(state));

export function assignedWords(words: readonly string[], state: State, machine: Machine): readonly string[] {
  const first = words.findIndex((word) => !/^[A-Za-z_][\w%]*=/.test(word));
  for (const word of first < 0 ? words : words.slice(0, first)) {
    machine.tick(weightOf(state));
    const equals = word.indexOf("=");
    // An exported function: bash defines it before anything else.
    const [, exported] = /^BASH_FUNC_(.+)%%=/.exec(word) ?? [];
    if (exported !== undefined) machine.runText(`${exported} ${word.slice(equals + 1)}`, state);
    setVariable(word.slice(0, equals), [word.slice(equals + 1)], state, machine);
    state.bindings.exported = new Set([...state.bindings.exported, word.slice(0, equals)]);
  }
  return first < 0 ? [] : words.slice(first);
}

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

/** The first word is another program, which is judged by itself: `k3s kubectl get pods`. */
export const passes = (programs: RegExp, own: EffectRule): Pick<ProgramRecord, "runs" | "effect"> => ({
  runs: ([, program = "", ...args], state, machine) =>
    programs.test(program)
      ? machine.runArgv([program, ...(args[0] === "--" ? args.slice(1) : args)], launched(state))
      : [UNKNOWN],
  effect: (argv, state) => (programs.test(argv[1] ?? "") ? "reads" : own(argv, state)),
});

const WRITES = "writes files";

/** With `-p` it looks at a process, with a class as well it changes one. */
const ionice: EffectRule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "cnpPu", long: ["class", "classdata", "pid"] }, false);
  const sets = has(parsed, "p", "P", "u", "pid") && has(parsed, "c", "n", "class", "classdata");
  return sets ? { changes: "changes the priority of processes" } : "reads";
};

const traceEffect = options({ why: WRITES, valued: "o output e p P s u a b E O S X", changes: "o output" });
const runPlain = launches("");

export const LAUNCHERS: readonly ProgramRecord[] = [
  { names: "busybox", runs: runPlain, effect: "reads", suspected: "anywhere" },
  { names: "nohup toybox unbuffer rlwrap tini dumb-init catchsegv setsid", runs: runPlain, effect: "reads" },
  { names: "fakeroot chronic eatmydata torsocks", runs: runPlain },
  { names: "exec", runs: launches("a"), effect: "reads", builtin: true },
  { names: "command builtin", runs: command, effect: "reads", builtin: true },
  { names: "nice", runs: launches("n adjustment"), effect: "reads" },
  { names: "ionice", runs: launches("c n p P u class classdata"), effect: ionice },
  { names: "chrt", runs: launches("T P D", { skip: 1 }), effect: "reads" },
  { names: "taskset", runs: launches("", { skip: 1 }), effect: "reads" },
  { names: "timeout", runs: launches("k s kill-after signal", { skip: 1 }), effect: "reads" },
  {
    names: "time",
    runs: launches("f o format output"),
    effect: options({ why: WRITES, valued: "o output f format", changes: "o output" }),
  },
  { names: "stdbuf", runs: launches("i o e input output error"), effect: "reads" },
  { names: "chroot", runs: changedRoot, effect: "reads" },
  {
    names: "flock",
    runs: launches("w E c timeout wait command conflict-exit-code", { skip: 1, text: ["c", "command"] }),
    effect: "unknown",
  },
  { names: "watch", runs: launches("n q interval equexit", { joined: true }), effect: "reads" },
  {
    names: "script",
    runs: launches("c E I O B T m o command", { text: ["c", "command"], account: true }),
    effect: { changes: WRITES },
  },
  { names: "unshare", runs: launches("S G R w setuid setgid root wd"), effect: "reads" },
  { names: "nsenter", runs: launches("t S G N target setuid setgid"), effect: "reads" },
  { names: "strace", runs: launches("a b e E o O p P s S u X"), effect: traceEffect },
  { names: "ltrace", runs: launches("a D e F l n o p s u w x"), effect: traceEffect },
  {
    names: "systemd-run",
    runs: launches("p E u M H unit property setenv slice uid gid description working-directory machine", {
      directory: ["working-directory"],
    }),
    effect: "unknown",
  },
  { names: "caffeinate", runs: launches("t w"), effect: "reads" },
  { names: "start-stop-daemon", runs: startStop },
];
