// `ssh` runs the words after the host on another machine; its relatives manage keys.
import type { Program } from "../interpreter/machine.ts";
import { elsewhere, fork, homesOf } from "../interpreter/state.ts";
import { has, type OptionTable, parseOptions } from "../words/options.ts";
import { launches, runDeeper } from "./launchers.ts";
import { byOptions, type EffectRule, options, type ProgramRecord } from "./record.ts";
import { shell } from "./shells.ts";

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
  const remote = fork(state, {
    location: { cwd: homesOf(state) },
    bindings: { aliases: new Map(), functions: new Map(), sealed: false, ...elsewhere(state) },
    io: { files: new Map() },
  });
  return words.length === 0 ? shell(["sh"], remote, machine) : runDeeper(words.join(" "), remote, machine);
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

export const SSH: readonly ProgramRecord[] = [
  { names: "ssh", runs: runSsh, effect: sshEffect, suspected: "anywhere" },
  { names: "sshpass", runs: launches("f d p P"), effect: "reads" },
  { names: "ssh-keyscan", effect: "reads" },
  { names: "ssh-keygen", effect: sshKeygen },
  { names: "ssh-add", effect: options({ reads: "l L", otherwise: { changes: "changes keys" } }) },
  { names: "ssh-copy-id", effect: { changes: "writes files" } },
  { names: "ssh-agent gpg-agent keychain", printsSetup: true },
];
