// Whether a command is known to change something, so that read-only intents are not taught it (design: SOP life). A first
// table: a program that is not in it counts as looking only.
import { CHANGING_PROGRAMS } from "./families/changes.ts";
import { absolute } from "./paths.ts";
import { interpret } from "./shell/interpreter.ts";
import type { ShellContext, State } from "./shell/state.ts";
import { readable } from "./shell/symbols.ts";

export type StateChange = { readonly command: string; readonly why: string };

const HARMLESS = /^\/dev\/(null|zero|full|tty|stdout|stderr|stdin|fd\/|tcp\/|udp\/)/;

/** The first change found, in the words "deletes files", or null. What cannot be parsed or followed is not a known change. */
export function changesState(source: string, context: ShellContext): StateChange | null {
  const changes: StateChange[] = [];
  const command = (argv: readonly string[]): void => {
    const why = CHANGING_PROGRAMS.get(argv[0] ?? "")?.(argv) ?? null;
    if (why !== null) changes.push({ command: readable(argv.join(" ")), why });
  };
  const write = (path: string, state: State): void => {
    const files = state.cwd.map((cwd) => absolute(path, cwd)).filter((file) => !HARMLESS.test(file));
    if (files.length > 0) changes.push({ command: `> ${readable(path)}`, why: "writes a file" });
  };
  try {
    interpret(source, context, { command, write }, () => undefined);
  } catch {
    return { command: source, why: "could not be followed" };
  }
  return changes[0] ?? null;
}
