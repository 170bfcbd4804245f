// Programs that run the command behind their own options: `sudo`, `env`, `timeout`, `ssh` and their kind.
import { absolute } from "../paths.ts";
import type { Machine, Output, Program } from "./machine.ts";
import { type OptionTable, optionValue, parseOptions } from "./options.ts";
import { shell } from "./shells.ts";
import { elsewhere, entered, fork, homesOf, keepFiles, type State } from "./state.ts";
import { quoted, UNKNOWN } from "./symbols.ts";
import { setVariable } from "./variables.ts";

/**
 * `skip`: operands before the command. `assigns`: NAME=value may come first. `text`: an option that holds shell text.
 * `directory`: an option that holds the working directory. `joined`: the words are joined and given to a shell.
 */
type Launcher = OptionTable & {
  readonly skip?: number;
  readonly assigns?: boolean;
  readonly text?: readonly string[];
  readonly directory?: readonly string[];
  readonly joined?: boolean;
  /** Operands name an account and the command is in `text`, unless an option names the account. */
  readonly account?: boolean;
};

const PLAIN: Launcher = { short: "", long: [] };

const TABLE: readonly (readonly [string, Launcher])[] = [
  [
    "sudo",
    {
      short: "CDghpRrtTUu",
      long: "chdir chroot close-from group host prompt role type user other-user command-timeout".split(" "),
      assigns: true,
      directory: ["D", "chdir"],
    },
  ],
  ["doas", { short: "aCu", long: [] }],
  ["pkexec", { short: "", long: ["user"] }],
  ["exec", { short: "a", long: [] }],
  ...[
    "nohup",
    "busybox",
    "fakeroot",
    "chronic",
    "eatmydata",
    "torsocks",
    "toybox",
    "unbuffer",
    "rlwrap",
    "tini",
    "dumb-init",
    "catchsegv",
  ].map((name) => [name, PLAIN] as const),
  ["nice", { short: "n", long: ["adjustment"] }],
  ["ionice", { short: "cnpPu", long: ["class", "classdata"] }],
  ["chrt", { short: "TPD", long: [], skip: 1 }],
  ["taskset", { short: "", long: [], skip: 1 }],
  ["timeout", { short: "ks", long: ["kill-after", "signal"], skip: 1 }],
  ["setsid", PLAIN],
  ["time", { short: "fo", long: ["format", "output"] }],
  ["stdbuf", { short: "ioe", long: ["input", "output", "error"] }],
  ["chroot", { short: "", long: ["userspec", "groups"], skip: 1 }],
  [
    "flock",
    { short: "wEc", long: ["timeout", "wait", "command", "conflict-exit-code"], skip: 1, text: ["c", "command"] },
  ],
  ["watch", { short: "nq", long: ["interval", "equexit"], joined: true }],
  ["su", { short: "csgGwT", long: ["command", "shell", "group"], text: ["c", "command"], account: true }],
  ["runuser", { short: "csgGwu", long: ["command", "shell", "group", "user"], text: ["c", "command"], account: true }],
  ["script", { short: "cEIOBTmo", long: ["command"], text: ["c", "command"], account: true }],
  ["sg", { short: "", long: [], skip: 1, joined: true }],
  ["gosu", { short: "", long: [], skip: 1 }],
  ["su-exec", { short: "", long: [], skip: 1 }],
  ["setpriv", { short: "", long: ["reuid", "regid", "groups", "inh-caps", "ambient-caps", "bounding-set"] }],
  ["unshare", { short: "SGRw", long: ["setuid", "setgid", "root", "wd"] }],
  ["nsenter", { short: "tSGN", long: ["target", "setuid", "setgid"] }],
  ["strace", { short: "abeEoOpPsSuX", long: [] }],
  ["ltrace", { short: "aDeFlnopsuwx", long: [] }],
  [
    "systemd-run",
    {
      short: "pEuMH",
      long: "unit property setenv slice uid gid description working-directory machine".split(" "),
      directory: ["working-directory"],
    },
  ],
  ["sshpass", { short: "fdpP", long: [] }],
  ["caffeinate", { short: "tw", long: [] }],
];

const launched = (state: State): State => fork(state, { launches: state.launches + 1 });

function launch(table: Launcher): Program {
  return ([, ...args], state, machine) => {
    const named = args.some((arg) => /^(-u.*|--user(=.*)?)$/.test(arg));
    const permute = table.account === true && !named;
    const parsed = parseOptions(args, table, permute);
    const inner = launched(state);
    const directory = optionValue(parsed, ...(table.directory ?? []));
    if (directory !== null) inner.cwd = state.cwd.map((cwd) => absolute(directory, cwd));
    const text = optionValue(parsed, ...(table.text ?? []));
    if (text !== null) return runText(text, inner, machine);
    const words = permute ? [] : parsed.operands.slice(table.skip ?? 0);
    const rest = table.assigns === true ? assigned(words, inner, machine) : words;
    if (rest.length === 0) return shell(["sh"], inner, machine);
    if ((rest[0] === "-c" || rest[0] === "--command") && rest[1] !== undefined) return runText(rest[1], inner, machine);
    const output = table.joined === true ? runText(rest.join(" "), inner, machine) : machine.runArgv(rest, inner);
    keepFiles(state, inner);
    return output;
  };
}

const runText = (text: string, state: State, machine: Machine): Output =>
  machine.runText(text, fork(state, { depth: state.depth + 1 }));

function assigned(words: readonly string[], state: State, machine: Machine): readonly string[] {
  const first = words.findIndex((word) => !/^[A-Za-z_][\w%]*=/.test(word));
  for (const word of first < 0 ? words : words.slice(0, first)) {
    const equals = word.indexOf("=");
    // An exported function: bash defines it before anything else.
    const [, exported] = /^BASH_FUNC_(.+)%%=/.exec(word) ?? [];
    if (exported !== undefined) machine.runText(`${exported} ${word.slice(equals + 1)}`, state);
    setVariable(word.slice(0, equals), [word.slice(equals + 1)], state, machine);
    state.exported = new Set([...state.exported, word.slice(0, equals)]);
  }
  return first < 0 ? [] : words.slice(first);
}

/** `env -S 'rm -rf /'` splits the text into words; what stands behind it are further words. Null without that option. */
function splitWords(args: readonly string[], operands: number): string | null {
  const at = args.findIndex((arg) => /^(-\w*S|--split-string)/.test(arg));
  const [, attached = ""] = /^(?:-\w*?S|--split-string=?)([\s\S]*)$/.exec(args[at] ?? "") ?? [];
  // Behind the command that env runs it is no option of env.
  if (at < 0 || at > args.length - operands) return null;
  const text = attached === "" ? (args[at + 1] ?? "") : attached;
  const rest = args.slice(attached === "" ? at + 2 : at + 1);
  return ["env", ...args.slice(0, at).map(quoted), text.replaceAll("\\_", " "), ...rest.map(quoted)].join(" ");
}

const env: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, { short: "uC", long: ["unset", "chdir"] }, false);
  const inner = launched(state);
  const split = splitWords(args, parsed.operands.length);
  if (split !== null) return runText(split, inner, machine);
  const directory = optionValue(parsed, "C", "chdir");
  if (directory !== null) inner.cwd = state.cwd.map((cwd) => absolute(directory, cwd));
  for (const name of parsed.options.filter((option) => option.name === "u"))
    inner.vars = entered(inner.vars, name.value ?? "", [""]);
  const rest = assigned(
    parsed.operands.filter((word, at) => at > 0 || word !== "-"),
    inner,
    machine,
  );
  return rest.length === 0 ? [UNKNOWN] : machine.runArgv(rest, inner);
};

/** Runs what follows in this very shell: `command cd /`. `command -v rm` only looks rm up. */
const command: Program = ([, ...args], state, machine) => {
  const { options, operands } = parseOptions(args, undefined, false);
  if (options.some(({ name }) => name === "v" || name === "V")) return [args.at(-1) ?? ""];
  Object.assign(state, { direct: true, launches: state.launches + 1 });
  const output = machine.runArgv(operands, state);
  Object.assign(state, { direct: false, launches: state.launches - 1 });
  return output;
};

/** `start-stop-daemon --start --exec /bin/x -- arguments`. */
const startStop: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, {
    short: "xanpucdNPI",
    long: "exec startas name pidfile user group chuid chdir".split(" "),
  });
  const program = optionValue(parsed, "a", "startas") ?? optionValue(parsed, "x", "exec");
  return program === null ? [UNKNOWN] : machine.runArgv([program, ...parsed.operands], launched(state));
};

const SSH: OptionTable = { short: "BbcDEeFIiJLlmOopPQRSWw", long: [] };

/** The words behind the host are joined and run by the shell of the other machine, in the home of its user. */
const ssh: Program = ([, ...args], state, machine) => {
  const { options, operands } = parseOptions(args, SSH, false);
  // Commands of its configuration run on this machine.
  for (const { name, value } of options) {
    const [, text] = /^\s*(?:Proxy|Local|KnownHosts|Remote)Command[=\s]\s*([\s\S]*)$/i.exec(value ?? "") ?? [];
    if (name === "o" && text !== undefined) runText(text, state, machine.provedOnly());
  }
  const [host, ...rest] = operands;
  if (host === undefined) return [""];
  const words = parseOptions(rest, SSH, false).operands;
  const remote = fork(state, {
    cwd: homesOf(state),
    aliases: new Map(),
    functions: new Map(),
    files: new Map(),
    sealed: false,
    ...elsewhere(state),
  });
  return words.length === 0 ? shell(["sh"], remote, machine) : runText(words.join(" "), remote, machine);
};

/** What stands behind `--` runs in the pod. */
const kubectl: Program = ([, ...args], state, machine) => {
  const dashes = args.indexOf("--");
  if (dashes > 0 && args.some((arg) => arg === "exec" || arg === "run" || arg === "debug")) {
    machine.runArgv(args.slice(dashes + 1), fork(state, { cwd: ["/"] }));
  }
  return [UNKNOWN];
};

export const LAUNCHERS: readonly (readonly [string, Program])[] = [
  ...TABLE.map(([name, table]) => [name, launch(table)] as const),
  ["start-stop-daemon", startStop],
  ["env", env],
  ["command", command],
  ["builtin", command],
  ["ssh", ssh],
  ["kubectl", kubectl],
];
