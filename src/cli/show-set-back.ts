// Why a version was set back, and what a rollback brings back, as text.
import { firstLine, printable } from "../domain/printable.ts";
import type { Rollback, SetBack } from "../domain/set-back.ts";
import { cut, fitTable } from "./fit-table.ts";
import type { Out } from "./out.ts";
import { changedSteps } from "./show-proof.ts";
import { block } from "./text-format.ts";

type Written = Pick<Out, "paint" | "width">;

export function setBackLines({ why, holds, record, refutations, failures, earlier }: SetBack, out: Written): string[] {
  const facts = block(out, [
    ["set back", holds ? why : `${why}; its record does not call for it any more`],
    ["record", recordOf(record)],
    ["since", record.since],
    ["earlier", earlier === null ? null : `version ${earlier.version}  ${earlier.sop_id}`],
  ]);
  const rows = [
    ...refutations.map(({ task_id, verification: { source, note, recorded_at } }) => [
      ...[`  ${printable(task_id)}`, out.paint("red", "found wrong"), printable(recorded_at)],
      firstLine(note === null ? source : `${source}: ${note}`),
    ]),
    ...failures.map(({ task_id, ended_at, reason_code }) => [
      ...[`  ${printable(task_id)}`, out.paint("red", "failed"), printable(ended_at), printable(reason_code)],
    ]),
  ];
  const columns = ["  RUN", "IT", "AT", cut("WHY")];
  return rows.length === 0 ? facts : [...facts, "", ...fitTable(columns, rows, out.width)];
}

/** As in `7 of 10 runs passed, 3 verified, 1 refuted`. */
const recordOf = ({ runs, passed, verified, refuted }: SetBack["record"]): string =>
  `${passed} of ${runs} runs passed, ${verified} verified, ${refuted} refuted`;

export function rollbackLines({ to, from, diff, record }: Rollback, out: Written): string[] {
  const facts = block(out, [
    ["steps of", `version ${to.version}  ${to.sop_id}`],
    ["record", recordOf(record)],
    ["instead of", from === null ? null : `version ${from.version}  ${from.sop_id}`],
  ]);
  if (diff === null || from === null) return facts;
  if (diff.length === 0) return [...facts, "", `  its steps are those of version ${from.version}`];
  return [...facts, "", `  steps that differ from version ${from.version}`, ...changedSteps(diff, out)];
}
