// Reads what a command does to the world, so that diagnostic intents are taught only steps that look. The strongest effect of all
// its parts counts.
import { isConnection } from "../interpreter/redirects.ts";
import { isPathChanged, type State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { effectRuleOf, recordOf } from "../programs/registry.ts";
import { sideEffectOf } from "../programs/rules/effects.ts";
import { isOpen, readable } from "../words/symbols.ts";
import { type GuardReading, shownCommand } from "./findings.ts";

/** `why` completes "this step ...". Empty where there is nothing to say. */
type ToldEffect = { readonly is: "reads" | "unknown" | "changes"; readonly why: string };

/** `command` is the first one with that effect. */
export type CommandEffect = ToldEffect & { readonly command: string };

/** Writing to these changes nothing. */
export const HARMLESS = /^\/dev\/(null|zero|full|tty|stdout|stderr|stdin|fd\/)/;

/** To open a connection, or to send it no more than the end of a line or one request that only asks, is how a port is looked at. */
const ASKS =
  /^(?:(?:GET|HEAD) \S+ HTTP\/[\d.]+(?:\r?\n[\w-]+:[^\r\n]*)*|PING|INFO|QUIT|ruok|srvr|mntr|stats|version)?\s*$/;

const onlyAsks = (text: string): boolean => !isOpen(text) && ASKS.test(text);

const RANK = { reads: 0, unknown: 1, changes: 2 } as const;

const READS: ToldEffect = { is: "reads", why: "" };

const UNTOLD: ToldEffect = { is: "unknown", why: "what this step runs cannot be determined from its text" };

const STEERED: ToldEffect = { is: "unknown", why: "sets variables that decide what a program really runs" };

const STEERING =
  /^(LD_\w+|GIT_(CONFIG\w*|EXTERNAL_DIFF|EXEC_PATH|PAGER|EDITOR|SSH\w*|ASKPASS|ALLOW_PROTOCOL)|KUBECTL_EXTERNAL_DIFF|(RESTIC|RCLONE)_PASSWORD_COMMAND|BORG_(PASSCOMMAND|RSH)|RSYNC_RSH|LESSOPEN|LESSCLOSE|(MAN|BAT_|SYSTEMD_)?PAGER|BROWSER|NODE_OPTIONS|PYTHON\w+|PERL5\w+|RUBYOPT|BASH_ENV|ENV)$/;

const isSteered = (state: State): boolean =>
  isPathChanged(state) || [...state.bindings.vars.keys()].some((name) => STEERING.test(name));

/** Changes are stronger than what is unknown, and that is stronger than looking. What cannot be followed is unknown. */
export function effectReading(source: string): GuardReading<CommandEffect> {
  let strongest: CommandEffect = { ...READS, command: readable(source) };
  const note = (effect: ToldEffect, argv: readonly string[]): void => {
    if (RANK[effect.is] > RANK[strongest.is]) strongest = { ...effect, command: shownCommand(argv) };
  };
  const untold = (): void => note(UNTOLD, [source]);
  return {
    report: untold,
    command: (argv, state, certain) => {
      const known = state.frame.own ? READS : commandEffect(argv, state);
      const effect = known.is === "reads" && isSteered(state) ? STEERED : known;
      // Text that may be no command at all, such as a string within code, counts only where it is known to change something.
      if (certain || effect.is === "changes") note(effect, argv);
    },
    write: (path, state, _certain, text) => {
      const opened = state.io.copies.get(path) ?? path;
      if (isConnection(opened) && text.every(onlyAsks)) return;
      const files = state.location.cwd.map((cwd) => absolute(opened, cwd)).filter((file) => !HARMLESS.test(file));
      if (files.length > 0) note({ is: "changes", why: "writes a file" }, [">", path]);
    },
    failed: untold,
    result: () => strongest,
  };
}

/** `radarr --version`: a program that is found by its name, and is none that the commands so far wrote (D-286). */
const asksOfItself = (argv: readonly string[], state: State): boolean =>
  argv.length === 2 && /^--(?:help|version)$/.test(argv[1] ?? "") && state.frame.installed;

/** Of one resolved command line: `argv[0]` is a base name. What a launcher starts is judged by itself. */
export function commandEffect(argv: readonly string[], state: State): ToldEffect {
  const [name = ""] = argv;
  const rule = effectRuleOf(name);
  if (rule === undefined && asksOfItself(argv, state)) return READS;
  if (rule === undefined) return { is: "unknown", why: `program ${readable(name)} is not known to only look` };
  if (argv.length === 2 && /^--(help|version)$/.test(argv[1] ?? "")) return READS;
  const own = typeof rule === "function" ? rule(argv, state) : rule;
  const effect = own === "reads" ? (sideEffectOf(argv, recordOf(name)?.sideEffects) ?? own) : own;
  if (effect === "reads") return READS;
  if (effect === "unknown") return { is: "unknown", why: `this use of ${readable(name)} is not known to only look` };
  return { is: "changes", why: effect.changes };
}
