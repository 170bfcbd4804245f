// The guard of shell commands (spec section 5). Pure: it judges text and runs nothing. It prevents accidents; keeping a
// hostile command in is the operating system's work.
import type { GuardCode } from "./codes.ts";
import { DISK, judgeWrite } from "./families/disk.ts";
import { DOCKER } from "./families/docker.ts";
import { GIT_RESET } from "./families/git.ts";
import { type Judge, RM } from "./families/rm.ts";
import { interpret } from "./shell/interpreter.ts";
import type { Report, Verdict, Watcher } from "./shell/machine.ts";
import type { ShellContext } from "./shell/state.ts";
import { readable } from "./shell/symbols.ts";

export type { ShellContext } from "./shell/state.ts";

/** `reason` is one sentence: what was seen and what to do instead. `command` is the resolved command it is about. */
export type CommandFinding = {
  readonly verdict: Verdict;
  readonly code: GuardCode;
  readonly reason: string;
  readonly command: string | null;
};

/** `commands` are what the guard saw run, words resolved, launchers before what they launch; the first of each, bounded. */
export type CommandVerdict = {
  readonly verdict: Verdict | "allow";
  readonly findings: readonly CommandFinding[];
  readonly commands: readonly string[];
};

/** Of a command that is shown; what is longer is cut. */
const MAX_WORDS = 64;
const MAX_COMMANDS = 200;

const JUDGES: ReadonlyMap<string, readonly Judge[]> = new Map(
  [...Map.groupBy([...RM, ...GIT_RESET, ...DOCKER, ...DISK], ([name]) => name)].map(([name, entries]) => [
    name,
    entries.map(([, judge]) => judge),
  ]),
);

const shown = (argv: readonly string[]): string => readable(argv.slice(0, MAX_WORDS).join(" "));

/** No finding means that the guard has nothing against the command. Never throws. */
export const judgeCommand = (source: string, context: ShellContext): CommandFinding[] =>
  judged(source, context, () => undefined);

/** The verdict on any command with all that led to it, for people and models who ask why. Never throws. */
export function inspectCommand(source: string, context: ShellContext): CommandVerdict {
  const commands = new Set<string>();
  const findings = judged(source, context, (argv) => {
    if (commands.size < MAX_COMMANDS) commands.add(shown(argv));
  });
  return { verdict: findings[0]?.verdict ?? "allow", findings, commands: [...commands] };
}

/** Blocks stand first. */
function judged(source: string, context: ShellContext, saw: (argv: readonly string[]) => void): CommandFinding[] {
  const findings = new Map<string, CommandFinding>();
  const report: Report = (verdict, code, reason, argv) => {
    const command = argv === undefined ? null : shown(argv);
    findings.set(`${code} ${command}`, { verdict, code, reason, command });
  };
  const command: Watcher["command"] = (argv, state, inner) => {
    saw(argv);
    for (const judge of JUDGES.get(argv[0] ?? "") ?? []) judge(argv, state, inner);
  };
  try {
    interpret(source, context, { command, write: judgeWrite }, report);
  } catch (error) {
    const reason = `the guard could not judge this command (${error instanceof Error ? error.name : "unknown error"}); write it more simply`;
    report("ask", "guard.failed", reason);
  }
  return [...findings.values()].sort((a, b) => Number(b.verdict === "block") - Number(a.verdict === "block"));
}
