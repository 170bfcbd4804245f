// `npm run proof:mends [-- --only id,id]`: each mend that is offered for a labelled row is itself run through the looks. How many rows
// that a control does not turn red get one, and which mends are worth no more than their check. Exit 1 where there is one.
import { parseArgs } from "node:util";
import PQueue from "p-queue";
import { mendsOf, proofOf } from "../../src/proof/proof.ts";
import { createRowJudge, type JudgedRow, runnableRows } from "./judge-row.ts";
import type { CheckRow } from "./rows.ts";

const BEFORE_MS = 1_500;
const ROWS_AT_ONCE = 4;
/** The check asks for a file that its target does not have, so its mend fails there: that is what it is for. */
const UNTRUE = ["worthless-59"];
const RANK = { unproved: 0, cannot_tell: 0, not_possible: 0, sensitive: 1, proved: 2 } as const;

/** `mend` is null where none is offered. */
export type MendedRow = { readonly original: JudgedRow; readonly mend: JudgedRow | null };

/** What teach knows of a check: its text and its control. */
const atTeach = ({ examination }: JudgedRow) => proofOf({ ...examination, decoy: null }, null).class;

/** The rows that teach warns of as unproved, each with the mend that it offers. */
export async function judgeMends(rows: readonly CheckRow[]): Promise<MendedRow[]> {
  const judge = createRowJudge({ before_ms: BEFORE_MS });
  const judged = await new PQueue({ concurrency: ROWS_AT_ONCE }).addAll(
    rows.map((row) => async (): Promise<MendedRow[]> => {
      const original = await judge(row);
      if (atTeach(original) !== "unproved") return [];
      const [text] = mendsOf(row.text).map((mend) => mend.text);
      const mend = text === undefined ? null : await judge({ ...row, text });
      return [{ original, mend: mend !== null && atTeach(mend) !== "unproved" ? mend : null }];
    }),
  );
  return judged.flat();
}

/** Whether the mend is worth more, and passes where the goal is reached. The goal of an attack never is. */
export function isWorthMore({ original, mend }: MendedRow): boolean {
  if (mend === null) return true;
  const { row } = original;
  const rises = RANK[mend.proof.class] > RANK[original.proof.class] || mend.proof.class === "proved";
  return rises && (mend.got !== "failed" || row.kind === "attack" || UNTRUE.includes(row.id));
}

export const shownMend = ({ original, mend }: MendedRow): string =>
  `${original.row.id} ${original.proof.class} > ${mend?.proof.class ?? "no mend"} (${mend?.got ?? ""}): ${mend?.row.text ?? ""}`;

if (import.meta.main) {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  const wanted = values.only?.split(",");
  const rows = await judgeMends(runnableRows().filter(({ id }) => wanted?.includes(id) ?? true));
  const say = (line: string) => process.stdout.write(`${line}\n`);
  for (const [label, of] of Map.groupBy(rows, ({ original }) => original.label)) {
    const offered = of.flatMap(({ mend }) => (mend === null ? [] : [mend.proof.class]));
    const proved = offered.filter((one) => one === "proved").length;
    say(`labelled ${label}: a mend for ${offered.length} of ${of.length}, of them ${proved} proved`);
  }
  const wrong = rows.filter((row) => !isWorthMore(row));
  for (const row of wrong) say(`NOT WORTH MORE ${shownMend(row)}`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
