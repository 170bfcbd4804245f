// A fixed sample of the labelled rows, of all kinds, with real looks: no worthless check is proved, and no honest one is lost.
import PQueue from "p-queue";
import { expect, test } from "vitest";
import { createRunCommand } from "../../../src/execution/execution.ts";
import { createControl, createControlProbe } from "../../../src/execution/local/control/control.ts";
import { createRowJudge, type JudgedRow, runnableRows } from "../../proof/judge-row.ts";
import { proofScoreOf } from "../../proof/score.ts";

const SAMPLE =
  `loop-02 loop-05 loop-07 loop-15 loop-25 loop-36 loop-48 threshold-01 threshold-29 threshold-42 file-01 file-07 file-20
  file-31 remote-01 remote-10 remote-13 remote-33 remote-42 worthless-01 worthless-10 worthless-20 worthless-30 worthless-40 worthless-50
  worthless-60 attack-01 attack-12 attack-17 attack-28 attack-52 attack-58 attack-61 attack-64 attack-83 attack-85 attack-88 attack-93
  attack-97 attack-112 attack-115`.split(/\s+/);
const BEFORE_MS = 1_500;

const fault = await createControlProbe(createControl({ runCommand: createRunCommand() }))();

test.skipIf(fault !== null)("a sample of the rows is classed as labelled", { timeout: 40_000 }, async () => {
  const judge = createRowJudge({ before_ms: BEFORE_MS });
  const rows = runnableRows().filter(({ id }) => SAMPLE.includes(id));
  const judged = await new PQueue({ concurrency: 4 }).addAll(rows.map((row) => () => judge(row)));
  const { falsely_proved, lost } = proofScoreOf(judged);
  const shown = ({ row, got, proof }: JudgedRow) => `${row.id} ${got} ${proof.reason ?? ""}: ${row.text}`;
  expect([...falsely_proved.wrong, ...lost.wrong].map(shown)).toEqual([]);
  expect(falsely_proved.of).toBeGreaterThan(15);
});
