// `node src/guard/test/guard/same-bytes.ts [ROUNDS]`: judges 45 scripts again and again, in another order each time and with other work
// between, while as many threads as there are processors keep the machine busy. Exit 1 where any answer is not the first one, byte
// for byte.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { aContract, cmd } from "../../../../test/support/builders.ts";
import { examinePlan } from "../../../engine/policy/judge-plan.ts";
import { asOnePlan, examine } from "../../guard.ts";
import { CONTEXT } from "./context.ts";
import { createRandom } from "./generate/random.ts";
import { HOSTILE_SHAPES } from "./hostile-shapes.ts";

const LINES = ["labelled-benign", "labelled-blocked", "evasions"].flatMap((name) =>
  readFileSync(new URL(`${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line): string => JSON.parse(line).command),
);

const ORDINARY = 37;
const LINES_OF_ONE = 40;
const COSTLY = 8;

/** Scripts of many lines, and texts that reach the caps. */
export const SCRIPTS: readonly string[] = [
  ...Array.from({ length: ORDINARY }, (_, at) =>
    LINES.filter((_line, place) => place % 211 === at * 5)
      .slice(0, LINES_OF_ONE)
      .join("\n"),
  ),
  ...HOSTILE_SHAPES.filter((_shape, at) => at % Math.floor(HOSTILE_SHAPES.length / COSTLY) === 0)
    .slice(0, COSTLY)
    .map(([, text]) => text),
];

/** A plan of some of them, which shares one budget. */
const PLAN = {
  contract: aContract({ success_criteria: [] }),
  steps: SCRIPTS.slice(ORDINARY - 4).map(cmd),
  safety_level: "standard",
  intent: "deploy",
  context: { home: "/home/op", remote: false },
  proved: false,
} as const;

const answerTo = (script: string): string =>
  JSON.stringify(examine(script, CONTEXT, { programs: true, effect: true }), (_, value) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  );

const answerToPlan = (): string => JSON.stringify(asOnePlan(() => examinePlan(PLAN)).findings);

/** The number of answers, and the places of the scripts whose answer was another one; -1 is the plan. */
export function askedAgain(rounds: number): { readonly answers: number; readonly changed: readonly number[] } {
  const first = SCRIPTS.map(answerTo);
  const plan = answerToPlan();
  const random = createRandom(rounds);
  const changed = new Set<number>();
  let answers = first.length + 1;
  for (let round = 1; round < rounds; round += 1) {
    const order = first.map((_, at) => ({ at, rank: random.int(2 ** 30) })).toSorted((a, b) => a.rank - b.rank);
    for (const { at } of order) {
      examine(LINES[random.int(LINES.length)] ?? "", CONTEXT, { programs: false, effect: false });
      if (answerTo(SCRIPTS[at] ?? "") !== first[at]) changed.add(at);
      answers += 1;
    }
    if (answerToPlan() !== plan) changed.add(-1);
    answers += 1;
  }
  return { answers, changed: [...changed] };
}

if (import.meta.main) {
  const rounds = Number(process.argv[2] ?? 1_000);
  const busy = Array.from(
    { length: availableParallelism() },
    () => new Worker("for (;;) Math.sqrt(2)", { eval: true }),
  );
  const { answers, changed } = askedAgain(rounds);
  process.stdout.write(
    `${answers} answers, scripts with another one than the first: ${changed.join(", ") || "none"}\n`,
  );
  process.exitCode = changed.length > 0 ? 1 : 0;
  for (const one of busy) await one.terminate();
}
