// The runs of a version that count for it, and its record: from the scores of their tasks (D-287, D-294).

import type { RecordOfVersion, SetBack } from "../../domain/approval.ts";
import { demotionOf, RECORD_RUNS, recordOf, setsBack } from "../../domain/scorecard/record.ts";
import type { TaskScore } from "../../domain/scorecard/task-score.ts";
import { parseOrigin, type Sop } from "../../domain/sop.ts";
import type { Store } from "../../ports.ts";
import { wasInUse } from "./active-sop.ts";

/** The rules look at the last runs, and at all those that were verified outside of orch, which may lie far back. */
const LAST_RUNS = 100;
const ALL_RUNS = 1_000;

type Reads = Pick<Store, "scoresOfSop" | "findScore">;

/** Newest first, since the version was approved again. The run that has proved it is its first. */
export async function runsOfVersion(
  store: Reads,
  { sop_id, origin, record_since }: Sop,
  last = LAST_RUNS,
): Promise<TaskScore[]> {
  const source = parseOrigin(origin);
  const [own, verified, first] = await Promise.all([
    store.scoresOfSop(sop_id, last),
    store.scoresOfSop(sop_id, ALL_RUNS, "verified"),
    source.by === "task" ? store.findScore(source.task_id) : null,
  ]);
  const known = new Set(own.map(({ task_id }) => task_id));
  const older = verified.filter(({ task_id }) => !known.has(task_id));
  const runs = [...own, ...older, ...(first === null ? [] : [first])];
  return record_since === null ? runs : runs.filter(({ ended_at }) => ended_at > record_since);
}

/** As the human is shown it. */
export const allRunsOf = (store: Reads, sop: Sop): Promise<TaskScore[]> => runsOfVersion(store, sop, ALL_RUNS);

export function recordIn({ record_since: since }: Sop, counted: readonly TaskScore[]): RecordOfVersion {
  const { runs, passed, streak, verified, refuted } = recordOf(counted);
  return { since, runs, passed, streak, verified, refuted };
}

/** As callers are shown it: as far as it is folded. */
export const recordOfSop = async (store: Pick<Store, "readRuns">, { sop_id }: Pick<Sop, "sop_id">) =>
  recordOf((await store.readRuns([sop_id], RECORD_RUNS)).get(sop_id) ?? []);

const MOST_LOOKED_AT = 20;

/** The last version before it that was in use, has other steps, and has not lost its proof itself. */
export async function earlierVersion(
  store: Reads & Pick<Store, "listSops" | "listApprovals">,
  { intent, target_signature, version, steps_digest }: Sop,
): Promise<SetBack["earlier"]> {
  const versions = await store.listSops({ intent, target_signature, status: "deprecated", limit: 500 });
  const before = versions.filter((one) => one.version < version && one.steps_digest !== steps_digest);
  for (const one of before.toSorted((a, b) => b.version - a.version).slice(0, MOST_LOOKED_AT)) {
    const isSound = !setsBack(demotionOf(await runsOfVersion(store, one)));
    if (isSound && (await wasInUse(store, one))) return { sop_id: one.sop_id, version: one.version };
  }
  return null;
}
