// A fixed sample of the mends, one row or more for each pattern, run through the looks on live targets: each is worth more than
// the check that it mends, and passes where the goal is reached.
import { expect, test } from "vitest";
import { createRunCommand } from "../../../src/execution/execution.ts";
import { createControl, createControlProbe } from "../../../src/execution/local/control/control.ts";
import { runnableRows } from "../../proof/judge-row.ts";
import { isWorthMore, judgeMends, shownMend } from "../../proof/score-mends.ts";

const SAMPLE =
  `loop-48 loop-57 threshold-51 threshold-52 threshold-53 threshold-54 file-23 file-31 remote-45 remote-46 worthless-05 worthless-06
  worthless-21 worthless-23 worthless-25 worthless-26 worthless-32 worthless-33 worthless-54`.split(/\s+/);
/** Red in its control already, so it needs no mend there. */
const WITHOUT = ["file-31"];

const fault = await createControlProbe(createControl({ runCommand: createRunCommand() }))();

test.skipIf(fault !== null)("a mend is worth more than its check", { timeout: 120_000 }, async () => {
  const rows = await judgeMends(runnableRows().filter(({ id }) => SAMPLE.includes(id)));
  expect(rows.filter((row) => !isWorthMore(row)).map(shownMend)).toEqual([]);
  const offered = rows.filter(({ mend }) => mend !== null);
  expect(offered.length).toBeGreaterThanOrEqual(SAMPLE.length - WITHOUT.length - 3);
});
