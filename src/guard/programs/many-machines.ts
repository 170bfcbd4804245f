// Follows programs that run a command on many other machines, or within a virtual machine: `ansible all -a`, `salt '*' cmd.run`,
// `pssh -h hosts`, `minikube ssh --`. A shell over there runs the joined words (D-282).
import type { Machine, Output, Program } from "../interpreter/machine.ts";
import { deeper, elsewhere, homesOf, type State } from "../interpreter/state.ts";
import { optionTable, optionValue, optionValues, parseOptions } from "../words/options.ts";
import { UNKNOWN } from "../words/symbols.ts";
import { looks } from "./looks/rule.ts";
import { type EffectRule, options } from "./record.ts";

function runThere(text: string, state: State, machine: Machine): Output {
  return machine.runText(text, deeper(elsewhere(state, homesOf(state)), { io: { stdin: null } }));
}

const AD_HOC = optionTable("m a i l f u e t c B P M T module-name args inventory limit forks user extra-vars tree");

const COMMANDS = /^(?:ansible\.(?:builtin|windows)\.)?(?:win_)?(?:command|shell|raw)$/;

const LOOKS =
  /^(?:ansible\.(?:builtin|windows)\.)?(?:win_)?(?:ping|setup|gather_facts|stat|getent|service_facts|package_facts)$/;

/** The text of `-a`, where the module runs one: `command` is the module of a line that names none. */
function adHocText(args: readonly string[]): string | null {
  const parsed = parseOptions(args, AD_HOC);
  const module = optionValue(parsed, "m", "module-name") ?? "command";
  const text = optionValue(parsed, "a", "args");
  // `chdir=/srv creates=x` are parameters of the module.
  return COMMANDS.test(module) && text !== null
    ? text.replace(/^(?:\s*(?:chdir|creates|removes|executable)=\S+)+/, "")
    : null;
}

export const runAdHoc: Program = ([, ...args], state, machine) => {
  const text = adHocText(args);
  return text === null ? [UNKNOWN] : runThere(text, state, machine);
};

/** Only asked to name or to parse does it leave the hosts alone. */
export const listsOnly: EffectRule = options({
  reads: "list-hosts list-tasks list-tags syntax-check",
  otherwise: "unknown",
});

/** `-m ping` asks whether a host answers, `-m setup` what it is. */
export const adHoc: EffectRule = (argv, state) => {
  const [, ...args] = argv;
  const parsed = parseOptions(args, AD_HOC);
  const modules = optionValues(parsed, "m", "module-name");
  if (parsed.options.some(({ name }) => name === "t" || name === "tree")) return { changes: "writes files" };
  if (modules.length <= 1 && adHocText(args) !== null) return "reads";
  return modules.length > 0 && modules.every((name) => LOOKS.test(name ?? "")) ? "reads" : listsOnly(argv, state);
};

const MINIONS = optionTable("t G E L C N I S R timeout batch out output out-file output-file c config-dir w user i");

const MINION_LOOKS = `* test.ping|test.version|grains.items|grains.get|grains.item|status.*|disk.usage|network.interfaces,
  * network.ip_addrs|pkg.version|pkg.list_pkgs|service.status|cmd.which`;

const RUNS_TEXT = /^cmd\.(?:run|shell|run_all|run_stdout|run_stderr|retcode|run_bg|exec_code)$/;

/** `salt '*' cmd.run TEXT`, and with no target `salt-call cmd.run TEXT`. */
function minionText(args: readonly string[]): string | null {
  const { operands } = parseOptions(args, MINIONS);
  const at = operands.findIndex((word) => RUNS_TEXT.test(word));
  return at === 0 || at === 1 ? (operands[at + 1] ?? null) : null;
}

export const runOnMinions: Program = ([, ...args], state, machine) => {
  const text = minionText(args);
  return text === null ? [UNKNOWN] : runThere(text, state, machine);
};

const looksAtMinions = looks(MINION_LOOKS, { valued: "t G E L C N I", unless: "out-file" });

export const minions: EffectRule = (argv, state) =>
  minionText(argv.slice(1)) === null || argv.some((word) => /^--out(?:put)?-file/.test(word))
    ? looksAtMinions(argv, state)
    : "reads";

/** `own`: options with a value. What comes after them, or after the verb, is the command. */
export function onMachine(own: string, verb = ""): { readonly runs: Program; readonly effect: EffectRule } {
  const table = optionTable(own);
  const textOf = (args: readonly string[]): string => {
    const { operands } = parseOptions(args, table, false);
    if (verb === "") return operands.join(" ");
    return operands[0] === verb ? parseOptions(operands.slice(1), table, false).operands.join(" ") : "";
  };
  return {
    runs: ([, ...args], state, machine) => {
      const text = textOf(args);
      return text === "" ? [UNKNOWN] : runThere(text, state, machine);
    },
    effect: ([, ...args]) => (textOf(args) === "" ? "unknown" : "reads"),
  };
}

export const COLIMA = onMachine("p profile", "ssh");

const looksAtColima = looks("status, list|ls, version, ssh-config", { valued: "p profile" });

export const colima: EffectRule = (argv, state) =>
  argv.includes("ssh") ? COLIMA.effect(argv, state) : looksAtColima(argv, state);
