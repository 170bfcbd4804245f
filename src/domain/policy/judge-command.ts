// The guard of shell commands (spec section 5). Pure: it judges text and runs nothing. It prevents accidents; keeping a
// hostile command in is the operating system's work.
import { DISK, judgeWrite } from "./families/disk.ts";
import { DOCKER } from "./families/docker.ts";
import { GIT_RESET } from "./families/git.ts";
import { type Judge, RM } from "./families/rm.ts";
import { interpret } from "./shell/interpreter.ts";
import type { FindingCode, Report, Verdict } from "./shell/machine.ts";
import type { ShellContext } from "./shell/state.ts";
import { readable } from "./shell/symbols.ts";

export type { ShellContext } from "./shell/state.ts";

/** `reason` is one sentence: what was seen and what to do instead. `command` is the resolved command it is about. */
export type CommandFinding = {
  readonly verdict: Verdict;
  readonly code: FindingCode;
  readonly reason: string;
  readonly command: string | null;
};

/** Of a command in a finding; what is longer is cut. */
const MAX_WORDS = 64;

const JUDGES: readonly (readonly [string, Judge])[] = [...RM, ...GIT_RESET, ...DOCKER, ...DISK];

/** No finding means that the guard has nothing against the command. Never throws. */
export function judgeCommand(source: string, context: ShellContext): CommandFinding[] {
  const findings = new Map<string, CommandFinding>();
  const report: Report = (verdict, code, reason, argv) => {
    const command = argv === undefined ? null : readable(argv.slice(0, MAX_WORDS).join(" "));
    findings.set(`${code} ${command}`, { verdict, code, reason, command });
  };
  try {
    const command = (argv: readonly string[], state: Parameters<Judge>[1]): void => {
      for (const [name, judge] of JUDGES) if (name === argv[0]) judge(argv, state, report);
    };
    interpret(source, context, { command, write: judgeWrite }, report);
  } catch (error) {
    const reason = `the guard could not judge this command (${error instanceof Error ? error.name : "unknown error"}); write it more simply`;
    report("ask", "guard.failed", reason);
  }
  return [...findings.values()].sort((a, b) => Number(b.verdict === "block") - Number(a.verdict === "block"));
}
