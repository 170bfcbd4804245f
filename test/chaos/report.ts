// `chaos.md`: the figures of all runs as one table, the faults by kind, what was found, and how to repeat it.
import type { Bundle, Entry, Finding } from "./checker/history.ts";
import type { Figures, Result } from "./run.ts";

export type Report = {
  readonly results: readonly Result[];
  readonly seed: number;
  readonly skipped: readonly string[];
  /** How to repeat it. */
  readonly command: string;
  readonly version: string;
};

/** The kinds that the table has a column for, whether or not there are any. */
const COLUMNS = [
  "step run twice",
  "effect twice",
  "lost",
  "unverifiable",
  "wrong counter",
  "message",
  "wrong end",
] as const;

export function reportOf({ results, seed, skipped, command, version }: Report): string {
  const found = results.flatMap(({ findings }) => findings).length;
  return [
    "# orch under faults",
    "",
    `${version}, seed ${seed}. ${found === 0 ? "Nothing was found." : `${found} findings.`} Repeat it with \`${command}\`; the seed decides on the plans and the order of the faults, and the machine on the moments.`,
    ...skipped.map((text) => `\n${text}`),
    "",
    ...table([HEAD, ...results.map(rowOf)]),
    "",
    "## Lost answers",
    "",
    ...table([LOST_HEAD, ...results.flatMap(lostRows)]),
    "",
    "## Faults",
    "",
    ...table([["fault", ...results.map(({ figures }) => figures.database)], ...faultRows(results)]),
    ...results.flatMap(foundIn),
    "",
  ].join("\n");
}

const HEAD = [
  ...["database", "time", "faults", "server starts", "slowest start", "tasks", "effects", "answers dropped"],
  ...["asked", "repeated by `retry` after an effect", "messages", "SOPs"],
  ...COLUMNS,
  "other findings",
];

function rowOf({ figures, findings }: Result): string[] {
  const { database, seconds, injected, starts, slowest_start_ms, ...counts } = figures;
  const of = (kind: string) => findings.filter((finding) => finding.kind === kind).length;
  const known = COLUMNS.map(of);
  const others = findings.length - sum(known);
  return [
    database,
    `${seconds} s`,
    String(sum([...injected.values()])),
    String(starts),
    `${(slowest_start_ms / 1_000).toFixed(1)} s`,
    ...countsOf(counts).map(String),
    ...[...known, others].map(String),
  ];
}

const countsOf = (
  counts: Pick<Figures, "tasks" | "marks" | "dropped" | "asked" | "repeated_by_licence" | "messages" | "sops">,
) => [
  ...[counts.tasks, counts.marks, counts.dropped, counts.asked],
  ...[counts.repeated_by_licence, counts.messages, counts.sops],
];

function faultRows(results: readonly Result[]): string[][] {
  const kinds = [...new Set(results.flatMap(({ figures }) => [...figures.injected.keys()]))].sort();
  return kinds.map((kind) => [kind, ...results.map(({ figures }) => String(figures.injected.get(kind) ?? 0))]);
}

const LOST_HEAD = ["database", "kind", "answers lost", "tasks", "effects", "questions", "twice"];

const lostRows = ({ figures: { database, lost_answers } }: Result): string[][] =>
  lost_answers.map(({ kind, lost, tasks, effects, asked, twice }) => [
    ...[database, kind],
    ...[lost, tasks, effects, asked, twice].map(String),
  ]);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

export const table = ([head = [], ...rows]: readonly string[][]): string[] =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);

const SHOWN = 20;

function foundIn({ figures, findings, bundles }: Result): string[] {
  if (findings.length === 0) return [];
  const blamed = [...new Set(findings.flatMap(({ task_id }) => task_id ?? []))].slice(0, SHOWN);
  return [
    ...["", `## Found on ${figures.database}`, ""],
    ...findings.map(lineOf),
    ...blamed.flatMap((task_id) => journalOf(bundles.find((bundle) => bundle.task_id === task_id))),
  ];
}

export const lineOf = ({ kind, task_id, text }: Finding): string =>
  `- **${kind}**${task_id === null ? "" : ` \`${task_id}\``}: ${text}`;

export function journalOf(bundle: Bundle | undefined): string[] {
  if (bundle === undefined) return [];
  const { task_id, status, journal } = bundle;
  return ["", `### Journal of \`${task_id}\`, ${status}`, "", "```", ...journal.map(entryLine), "```"];
}

const BODY_CHARACTERS = 400;

const entryLine = ({ seq, at, kind, body }: Entry): string =>
  `${seq} ${at} ${kind} ${JSON.stringify(body).slice(0, BODY_CHARACTERS)}`;
