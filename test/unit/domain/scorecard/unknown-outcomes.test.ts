import { expect, test } from "vitest";
import { unknownOutcomesIn } from "../../../../src/domain/scorecard/counts.ts";
import { journalOf } from "../../../support/builders.ts";

const started = { kind: "step_started", body: { index: 0, attempt: 1 } } as const;

const reconciled = (settles: "succeeded" | "failed" | "retry" | null) =>
  ({
    kind: "step_reconciled",
    body: { index: 0, attempt: 1, exit_code: 0, says: "done", may_run: null, settles },
  }) as never;

test.each([
  ["succeeded", { unknown_succeeded: 1, unknown_open: 0 }],
  ["retry", { unknown_retry: 1, unknown_open: 0 }],
  [null, { unknown_succeeded: 0, unknown_retry: 0, unknown_open: 1 }],
] as const)("a step that its reconcile command settles as %s is counted by that", (settles, counted) =>
  expect(unknownOutcomesIn(journalOf(started, reconciled(settles)))).toMatchObject(counted),
);
