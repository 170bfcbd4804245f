// What the rounds did and found, as lines and as `chaos-cluster.md`.
import { journalOf, lineOf, table } from "../report.ts";
import type { Round } from "./round.ts";

const SHOWN = 20;

export const roundLine = (number: number, { injected, seconds, findings, ...round }: Round): string =>
  `round ${number}, ${seconds.toFixed(0)} s: ${[...injected].map(([name, times]) => `${times} x ${name}`).join(", ")}; ` +
  `${round.tasks} tasks, ${round.runs} runs of steps, ${round.takeovers} claims after a crash, ${round.asked} questions, ` +
  `longest left ${(round.longest_left / 1_000).toFixed(1)} s, ${round.entries} entries: ` +
  `${findings.length === 0 ? "nothing was found" : `${findings.length} findings`}`;

type Given = {
  readonly rounds: readonly Round[];
  /** The number of the first round. */
  readonly first: number;
  readonly command: string;
  readonly version: string;
};

export function clusterReport({ rounds, first, command, version }: Given): string {
  const sum = (of: (round: Round) => number) => rounds.reduce((all, round) => all + of(round), 0);
  const findings = rounds.flatMap((round) => round.findings);
  const kinds = [...new Set(rounds.flatMap(({ injected }) => [...injected.keys()]))].sort();
  const longest = Math.max(0, ...rounds.map(({ longest_left }) => longest_left));
  return [
    "# Several servers on one PostgreSQL, under faults",
    "",
    `Commit ${version}. ${findings.length === 0 ? "Nothing was found." : `${findings.length} findings.`} Repeat it with \`${command}\`; the seed decides on the plans and the order of the faults, and the machine on the moments.`,
    "",
    ...table([
      ["rounds", "time", "tasks", "runs of steps", "claims after a crash", "questions", "entries", "longest left"],
      [
        ...[rounds.length, `${sum(({ seconds }) => seconds).toFixed(0)} s`, sum(({ tasks }) => tasks)],
        ...[sum(({ runs }) => runs), sum(({ takeovers }) => takeovers), sum(({ asked }) => asked)],
        ...[sum(({ entries }) => entries), `${(longest / 1_000).toFixed(1)} s`],
      ].map(String),
    ]),
    "",
    ...table([
      ["fault", "times"],
      ...kinds.map((kind) => [kind, String(sum(({ injected }) => injected.get(kind) ?? 0))]),
    ]),
    "",
    ...rounds.map((round, place) => `- ${roundLine(first + place, round)}`),
    ...rounds.flatMap(foundIn),
    "",
  ].join("\n");
}

function foundIn({ findings, bundles }: Round): string[] {
  if (findings.length === 0) return [];
  const blamed = [...new Set(findings.flatMap(({ task_id }) => task_id ?? []))].slice(0, SHOWN);
  return [
    ...["", "## Found", ""],
    ...findings.map(lineOf),
    ...blamed.flatMap((task_id) => journalOf(bundles.find((bundle) => bundle.task_id === task_id))),
  ];
}
