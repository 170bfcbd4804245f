// The scorecard of a service with a past: weeks of scores in the database of a server that has not started yet. What each procedure
// is like is a line of a table, so that a test can name what has to be in view.
import { join } from "node:path";
import type { Change } from "../../src/domain/change.ts";
import type { EventBody } from "../../src/domain/journal.ts";
import { weeksUntil } from "../../src/domain/scorecard/arithmetic.ts";
import type { TaskScore } from "../../src/domain/scorecard/task-score.ts";
import { ANCHOR_THREAD } from "../../src/domain/thread-id.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { aScore } from "../conformance/store-records.ts";

export type PastProcedure = {
  readonly intent: string;
  readonly target_signature: string;
  readonly cohort: TaskScore["cohort"];
  readonly sop_id: string | null;
  /** Tasks in each week. */
  readonly tasks: number;
  /** Of every so many tasks one failed, one was refuted, one asked, and one was not verified; 0 for never. */
  readonly fails: number;
  readonly refuted: number;
  readonly asks: number;
  readonly unverified: number;
};

const every = (nth: number, period: number): boolean => period > 0 && nth % period === period - 1;

function scoreOf(procedure: PastProcedure, week: string, nth: number): TaskScore {
  const { intent, target_signature, cohort, sop_id } = procedure;
  const [fails, refuted, asks] = [procedure.fails, procedure.refuted, procedure.asks].map((one) => every(nth, one));
  const external = every(nth, procedure.unverified) ? null : refuted !== true;
  const [done, verified, false_success] = fails
    ? [0, 0, 0]
    : [1, external === true ? 1 : 0, external === false ? 1 : 0];
  return aScore({
    task_id: `past-${intent}-${target_signature}-${week}-${nth}`,
    week,
    intent,
    target_signature,
    cohort,
    sop_id,
    status: fails ? "failed" : "ok",
    reason_code: fails ? "check_failed" : "verified",
    passed: !fails,
    external: fails ? null : external,
    took_rank: 60 + (nth % 40),
    sop_version: sop_id === null ? null : 1,
    done,
    verified,
    refuted: false_success,
    asked: asks ? 1 : 0,
    questions: asks ? 1 : 0,
    waited_ms: asks ? 90_000 : 0,
    handed_back: asks && sop_id === null ? 1 : 0,
    without_sop: sop_id === null ? 1 : 0,
    steps: 3,
    ...(cohort === "teach" && nth === 0 && { taught: 1, taught_done: done, promoted: done }),
    gate_errors: fails ? 1 : 0,
    gate_right: 0,
    gate_wrong: fails && nth % 2 === 0 ? 1 : 0,
  });
}

/** Of the weeks until `now`, the oldest first. */
export const pastScores = (procedures: readonly PastProcedure[], now: Date, weeks: number): TaskScore[] =>
  weeksUntil(now, weeks).flatMap((week) =>
    procedures.flatMap((procedure) =>
      Array.from({ length: procedure.tasks }, (_, nth) => scoreOf(procedure, week, nth)),
    ),
  );

/** The server of this directory must not run. */
export async function keepScores(
  data_dir: string,
  scores: readonly TaskScore[],
  anchored?: EventBody<"anchored">,
): Promise<void> {
  const database = await openDatabase({ url: `file:${join(data_dir, "state", "orch.db")}` });
  try {
    const store = createStore({ database, clock: () => new Date() });
    const changes = scores.map((score): Change => ({ on: "task_scored", score }));
    await store.commit({ thread_id: "score", after: "last", events: [], changes });
    if (anchored === undefined) return;
    const events = [{ kind: "anchored", body: anchored } as const];
    await store.commit({ thread_id: ANCHOR_THREAD, after: "last", events });
  } finally {
    await database.close();
  }
}
