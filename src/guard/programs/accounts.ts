// Programs that run a command as another account, in another environment or on another machine.
import { runsWhatWasRead } from "../interpreter/files-of-run.ts";
import type { Program } from "../interpreter/machine.ts";
import { elsewhere, entered, homesOf } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { has, type OptionTable, optionValue, parseOptions } from "../words/options.ts";
import { isOpen, quoted, UNKNOWN } from "../words/symbols.ts";
import { assignedWords, launched, launches, runDeeper } from "./launchers.ts";
import { byOptions, type EffectRule, options, type ProgramRecord } from "./record.ts";
import { shell } from "./shells.ts";

/** `env -S 'rm -rf /'` splits the text into words; more words may follow it. Null without that option. */
function splitWords(args: readonly string[], operands: number): string | null {
  const at = args.findIndex((arg) => /^(-\w*S|--split-string)/.test(arg));
  const [, attached = ""] = /^(?:-\w*?S|--split-string=?)([\s\S]*)$/.exec(args[at] ?? "") ?? [];
  // After the command that env runs it is no option of env.
  if (at < 0 || at > args.length - operands) return null;
  const text = attached === "" ? (args[at + 1] ?? "") : attached;
  const rest = args.slice(attached === "" ? at + 2 : at + 1);
  return ["env", ...args.slice(0, at).map(quoted), text.replaceAll("\\_", " "), ...rest.map(quoted)].join(" ");
}

const env: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, { short: "uC", long: ["unset", "chdir"] }, false);
  const inner = launched(state);
  const split = splitWords(args, parsed.operands.length);
  if (split !== null) return runDeeper(split, inner, machine);
  const directory = optionValue(parsed, "C", "chdir");
  if (directory !== null) inner.location.cwd = state.location.cwd.map((cwd) => absolute(directory, cwd));
  for (const name of parsed.options.filter((option) => option.name === "u"))
    inner.bindings.vars = entered(inner.bindings.vars, name.value ?? "", [""]);
  const rest = assignedWords(
    parsed.operands.filter((word, at) => at > 0 || word !== "-"),
    inner,
    machine,
  );
  return rest.length === 0 ? [UNKNOWN] : machine.runArgv(rest, inner);
};

export const SUDOERS: readonly ProgramRecord[] = [
  {
    names: "sudo",
    runs: launches(
      "C D g h p R r t T U u chdir chroot close-from group host prompt role type user other-user command-timeout",
      { assigns: true, directory: ["D", "chdir"] },
    ),
    effect: "reads",
    suspected: "anywhere",
  },
  { names: "doas", runs: launches("a C u"), effect: "reads", suspected: "anywhere" },
  { names: "pkexec", runs: launches("user"), effect: "reads" },
  { names: "sudoedit", effect: { changes: "writes files" } },
  { names: "env", runs: env, effect: "reads", suspected: "anywhere" },
];

const SSH_OPTIONS: OptionTable = { short: "BbcDEeFIiJLlmOopPQRSWw", long: [] };

/** The shell of the other machine runs the joined words after the host, in the home of its user. */
const runSsh: Program = ([, ...args], state, machine) => {
  const { options, operands } = parseOptions(args, SSH_OPTIONS, false);
  // Commands of its configuration run on this machine.
  for (const { name, value } of options) {
    const [, text] = /^\s*(?:Proxy|Local|KnownHosts|Remote)Command[=\s]\s*([\s\S]*)$/i.exec(value ?? "") ?? [];
    if (name === "o" && text !== undefined) runDeeper(text, state, machine.provedOnly());
  }
  const [host, ...rest] = operands;
  if (host === undefined) return [""];
  const words = parseOptions(rest, SSH_OPTIONS, false).operands;
  const remote = elsewhere(state, homesOf(state), state.io.others.get(host));
  const text = words.join(" ");
  // `ssh nas "$(cat x.sh)"`: this machine reads the file, so orch notes it here.
  runsWhatWasRead(text, isOpen(text), state, machine);
  if (words.length > 0) remote.frame.depth += 1;
  const output = words.length === 0 ? shell(["sh"], remote, machine) : machine.runText(text, remote);
  if (remote.io.files.size > 0) state.io.others = entered(state.io.others, host, remote.io.files);
  return output;
};

/** Options that make ssh run a program of its own on this machine. */
const sshEffect: EffectRule = ([, ...args]) => {
  const runs = args.some((arg, at) =>
    /^(-o)?(Proxy|Local)Command\b/i.test(arg.startsWith("-o") ? arg : `${args[at - 1]}${arg}`),
  );
  return runs ? "unknown" : "reads";
};

const sshKeygen = byOptions("f F t b C E N P R m i I", (parsed) => {
  if (has(parsed, "R")) return { changes: "writes files" };
  return has(parsed, "l", "F", "y", "B") ? "reads" : { changes: "writes files" };
});

export const ACCOUNTS: readonly ProgramRecord[] = [
  { names: "ssh", runs: runSsh, effect: sshEffect, suspected: "anywhere" },
  { names: "sshpass", runs: launches("f d p P"), effect: "reads" },
  { names: "ssh-keyscan", effect: "reads" },
  { names: "ssh-keygen", effect: sshKeygen },
  { names: "ssh-add", effect: options({ reads: "l L", otherwise: { changes: "changes keys" } }) },
  { names: "ssh-copy-id", effect: { changes: "writes files" } },
  { names: "ssh-agent gpg-agent keychain", printsSetup: true },
  {
    names: "su",
    runs: launches("c s g G w T command shell group", { text: ["c", "command"], account: true }),
    effect: "reads",
    suspected: "anywhere",
  },
  {
    names: "runuser",
    runs: launches("c s g G w u command shell group user", { text: ["c", "command"], account: true }),
    effect: "reads",
  },
  { names: "sg", runs: launches("", { skip: 1, joined: true }), effect: "reads" },
  { names: "gosu su-exec", runs: launches("", { skip: 1 }), effect: "reads" },
  { names: "setpriv", runs: launches("reuid regid groups inh-caps ambient-caps bounding-set"), effect: "reads" },
];
