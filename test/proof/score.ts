// `npm run proof:score [-- --only id,id] [--kind loop,attack] [--at-once 2] [--out FILE]`: how the looks do on the labelled rows. A table by kind, the two
// figures, and each row that is classed otherwise than labelled, with its looks. Exit 1 below the bar.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import PQueue from "p-queue";
import { createRowJudge, type JudgedRow, runnableRows } from "./judge-row.ts";

const ROWS_AT_ONCE = 4;
const MOST_LOST = 0.03;

type Tally = { readonly of: number; readonly wrong: readonly JudgedRow[] };
export type ProofScore = { readonly falsely_proved: Tally; readonly lost: Tally };

export function proofScoreOf(judged: readonly JudgedRow[]): ProofScore {
  const honest = judged.filter(({ label }) => label === "proved");
  const others = judged.filter(({ label }) => label !== "proved");
  return {
    falsely_proved: { of: others.length, wrong: others.filter(({ got }) => got === "proved") },
    lost: { of: honest.length, wrong: honest.filter(({ got }) => got !== "proved") },
  };
}

/** `constant` where the text alone was enough. */
const gotOf = ({ got, examination }: JudgedRow): string =>
  examination.constant === null || got === "failed" ? got : "constant";

/** The difference between these is not in the figures. */
const isAlike = (one: JudgedRow): boolean => {
  const got = gotOf(one);
  if (one.label === "not_proved") return got !== "proved";
  if (one.label === "unproved" || one.label === "sensitive") return /^(unproved|sensitive|constant)$/.test(got);
  return got === one.label;
};

const say = (line: string) => process.stdout.write(`${line}\n`);

function printTable(judged: readonly JudgedRow[]): void {
  for (const [kind, rows] of Map.groupBy(judged, ({ row }) => row.kind)) {
    const pairs = Map.groupBy(rows, (one) => `${one.label} > ${gotOf(one)}`);
    const cells = [...pairs].sort().map(([pair, { length }]) => `${pair} ${length}`);
    const { falsely_proved, lost } = proofScoreOf(rows);
    say(`${kind} (${rows.length}): ${cells.join(", ")}`);
    say(`  falsely proved ${figure(falsely_proved)}; lost ${figure(lost)}`);
  }
}

const figure = ({ of, wrong }: Tally): string =>
  of === 0 ? "none" : `${wrong.length} of ${of} (${((wrong.length / of) * 100).toFixed(1)} %)`;

function printMisses(title: string, misses: readonly JudgedRow[]): void {
  if (misses.length > 0) say(`\n${title}`);
  for (const { row, label, got, proof, examination, before } of misses) {
    const { constant, chance, names_target, control, decoy } = examination;
    const facts = { ...(constant !== null && { constant }), ...(chance !== null && { chance }), names_target, before };
    say(`${row.id} ${label} > ${got}: ${proof.reason ?? ""}\n  ${JSON.stringify(row.text)}`);
    say(`  ${JSON.stringify(facts)}\n  control ${JSON.stringify(control)}\n  decoy ${JSON.stringify(decoy)}`);
  }
}

function print(judged: readonly JudgedRow[]): void {
  const { falsely_proved, lost } = proofScoreOf(judged);
  const wrong = new Set([...falsely_proved.wrong, ...lost.wrong]);
  printMisses("FALSELY PROVED", falsely_proved.wrong);
  printMisses("LOST", lost.wrong);
  printMisses(
    "otherwise than labelled, not in the figures",
    judged.filter((one) => !wrong.has(one) && !isAlike(one)),
  );
  say("");
  printTable(judged);
  const times = judged.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  say(`\nfalsely proved ${figure(falsely_proved)}; lost ${figure(lost)}`);
  say(`an examination takes ${at(0.5)} ms (median), ${at(0.95)} ms (95 %), ${at(1)} ms (longest)`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      kind: { type: "string" },
      "at-once": { type: "string" },
      out: { type: "string" },
    },
  });
  const isWanted = (list: string | undefined, name: string) => list === undefined || list.split(",").includes(name);
  const rows = runnableRows().filter(({ id, kind }) => isWanted(values.only, id) && isWanted(values.kind, kind));
  const judge = createRowJudge();
  const queue = new PQueue({ concurrency: Math.min(ROWS_AT_ONCE, Number(values["at-once"] ?? ROWS_AT_ONCE)) });
  const judged = await queue.addAll(rows.map((row) => () => judge(row)));
  print(judged);
  if (values.out !== undefined) writeFileSync(values.out, judged.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const { falsely_proved, lost } = proofScoreOf(judged);
  process.exitCode = falsely_proved.wrong.length > 0 || lost.wrong.length > lost.of * MOST_LOST ? 1 : 0;
}
