// Reads what the guard has against a command: always-blocked operations, and what it cannot decide from the text.
import type { GuardCode } from "../codes.ts";
import { DISK, judgeWrite } from "../families/disk.ts";
import { DOCKER } from "../families/docker.ts";
import { GIT_RESET } from "../families/git.ts";
import { type Judge, RM } from "../families/rm.ts";
import type { Report, Verdict } from "../shell/machine.ts";
import { readable } from "../shell/symbols.ts";
import type { Reading } from "./reading.ts";

/** `reason` is one sentence: what was seen and what to do instead. `command` is the resolved command it is about. */
export type CommandFinding = {
  readonly verdict: Verdict;
  readonly code: GuardCode;
  readonly reason: string;
  readonly command: string | null;
};

/** Of a command that is shown; what is longer is cut. */
const MAX_WORDS = 64;

const JUDGES: ReadonlyMap<string, readonly Judge[]> = new Map(
  [...Map.groupBy([...RM, ...GIT_RESET, ...DOCKER, ...DISK], ([name]) => name)].map(([name, entries]) => [
    name,
    entries.map(([, judge]) => judge),
  ]),
);

export const shownCommand = (argv: readonly string[]): string => readable(argv.slice(0, MAX_WORDS).join(" "));

/** Blocks come first. */
export function findingsReading(): Reading<CommandFinding[]> {
  const findings = new Map<string, CommandFinding>();
  const report: Report = (verdict, code, reason, argv) => {
    const command = argv === undefined ? null : shownCommand(argv);
    findings.set(`${code} ${command}`, { verdict, code, reason, command });
  };
  const reportBlocks: Report = (verdict, ...rest) => {
    if (verdict === "block") report(verdict, ...rest);
  };
  return {
    report,
    command: (argv, state, certain) => {
      for (const judge of JUDGES.get(argv[0] ?? "") ?? []) judge(argv, state, certain ? report : reportBlocks);
    },
    write: (path, state, certain) => judgeWrite(path, state, certain ? report : reportBlocks),
    failed: (error) => {
      const name = error instanceof Error ? error.name : "unknown error";
      report("ask", "guard.failed", `the guard could not judge this command (${name}); write it more simply`);
    },
    result: () => [...findings.values()].sort((a, b) => Number(b.verdict === "block") - Number(a.verdict === "block")),
  };
}
