// What a shell step does to the world, so that diagnostic intents are taught only steps that look (design: SOP life). The
// tables stand in effects/; here the whole program is walked and the strongest effect counts.
import { commandEffect } from "./effects/command-effect.ts";
import { changes, type Effect, READS } from "./effects/effect.ts";
import { absolute } from "./paths.ts";
import { interpret } from "./shell/interpreter.ts";
import type { Watcher } from "./shell/machine.ts";
import { isPathChanged, type ShellContext, type State } from "./shell/state.ts";
import { readable } from "./shell/symbols.ts";

/** `command` is the first one with that effect. */
export type StepEffect = Effect & { readonly command: string };

const HARMLESS = /^\/dev\/(null|zero|full|tty|stdout|stderr|stdin|fd\/|tcp\/|udp\/)/;
const RANK = { reads: 0, unknown: 1, changes: 2 } as const;
const UNTOLD: Effect = { is: "unknown", why: "what this step runs cannot be told from its text" };
/** Of a command that is shown; what is longer is cut. */
const MAX_WORDS = 64;

const STEERED: Effect = { is: "unknown", why: "sets variables that decide what a program really runs" };
const STEERING =
  /^(LD_\w+|GIT_(CONFIG\w*|EXTERNAL_DIFF|EXEC_PATH|PAGER|EDITOR|SSH\w*|ASKPASS)|LESSOPEN|LESSCLOSE|(MAN|BAT_|SYSTEMD_)?PAGER|BROWSER|NODE_OPTIONS|PYTHON\w+|PERL5\w+|RUBYOPT|BASH_ENV|ENV)$/;

const isSteered = (state: State): boolean =>
  isPathChanged(state) || [...state.vars.keys()].some((name) => STEERING.test(name));

/** Changes are stronger than what is unknown, and that is stronger than looking. What cannot be followed is unknown. */
export function effectOf(source: string, context: ShellContext): StepEffect {
  let strongest: StepEffect = { ...READS, command: readable(source) };
  const note = (effect: Effect, argv: readonly string[]): void => {
    if (RANK[effect.is] <= RANK[strongest.is]) return;
    strongest = { ...effect, command: readable(argv.slice(0, MAX_WORDS).join(" ")) };
  };
  const untold = (): void => note(UNTOLD, [source]);
  const command: Watcher["command"] = (argv, state, report) => {
    const known = commandEffect(argv, state);
    const effect = known.is === "reads" && isSteered(state) ? STEERED : known;
    // Another report is that of text which may be no command at all, such as a string within code: there only a known
    // change counts.
    if (report === untold || effect.is === "changes") note(effect, argv);
  };
  const write: Watcher["write"] = (path, state) => {
    const files = state.cwd.map((cwd) => absolute(path, cwd)).filter((file) => !HARMLESS.test(file));
    if (files.length > 0) note(changes("writes a file"), [">", path]);
  };
  try {
    interpret(source, context, { command, write }, untold);
  } catch {
    untold();
  }
  return strongest;
}
