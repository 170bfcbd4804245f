// Reads what is folded from the journal for the scorecard, and what the fold has still to read (D-287).
import { SCORING_KINDS } from "../domain/journal.ts";
import { Counts } from "../domain/scorecard/counts.ts";
import { type Counted, type KeptScores, type KeyedTally, TALLY_KEY } from "../domain/scorecard/kept-scores.ts";
import type { SopRun } from "../domain/scorecard/record.ts";
import { TaskScore } from "../domain/scorecard/task-score.ts";
import { Sop } from "../domain/sop.ts";
import type { Database } from "./database.ts";
import { guarded } from "./database-errors.ts";
import type { Prisma, TaskScore as ScoreRow } from "./generated/sqlite/client.ts";
import { given, isWhole, read } from "./rows.ts";
import { runsOf } from "./sql.ts";

const NEWEST = [{ ended_at: "desc" as const }, { task_id: "asc" as const }];

export const readScores = ({ client }: Database): KeptScores => {
  const { journalEvent, duty, taskScore, sop } = client;
  return {
    readScoring: guarded((after, take) =>
      journalEvent.findMany({
        where: { cursor: { gt: after }, kind: { in: [...SCORING_KINDS] } },
        orderBy: { cursor: "asc" },
        take,
        select: { cursor: true, thread_id: true },
      }),
    ),
    findDuty: guarded(async (name) => {
      const row = await duty.findUnique({ where: { name } });
      return row === null || !isWhole(row) ? 0 : row.cursor;
    }),
    findScore: guarded(async (task_id) => {
      const row = await taskScore.findUnique({ where: { task_id } });
      return row === null || !isWhole(row) ? null : scoreOf(row);
    }),
    scoresOfSop: guarded(async (sop_id, take, only) => {
      const where = { sop_id, ...(only === "verified" && { external: { not: null } }) };
      const rows = await taskScore.findMany({ where, orderBy: NEWEST, take });
      return rows.filter(isWhole).map(scoreOf);
    }),
    readRuns: guarded(async (sop_ids, limit) => {
      const found = new Map<string, SopRun[]>(sop_ids.map((sop_id) => [sop_id, []]));
      for (let from = 0; from < sop_ids.length; from += VERSIONS_AT_ONCE) {
        const rows = await runsOf(client, sop_ids.slice(from, from + VERSIONS_AT_ONCE), limit);
        for (const { sop_id, ...run } of rows) found.get(sop_id)?.push(run);
      }
      return found;
    }),
    readVersions: guarded(async () => {
      const rows = await sop.findMany({ where: { status: { not: "deprecated" } }, select: VERSION });
      return rows.flatMap((row) => Version.safeParse(row).data ?? []);
    }),
    readTallies: guarded(async (counted) => {
      const tallies = await taskScore.groupBy({
        by: [...TALLY_KEY],
        where: countedBy(counted),
        _count: true,
        _sum: SUMS,
      });
      return tallies.map(({ _count: tasks, _sum, ...key }) => ({ ...key, tasks, ..._sum }) as KeyedTally);
    }),
    readTook: guarded(async (counted, by) => {
      const where = countedBy(counted);
      const groups = await taskScore.groupBy({ by: [by, "took_rank"], where, _count: true });
      return groups.map(({ [by]: of, took_rank: rank, _count: tasks }) => ({ of, rank, tasks }));
    }),
    firstWeeks: guarded(async () => {
      const weeks = await taskScore.groupBy({ by: ["target_signature"], _min: { week: true } });
      return new Map(weeks.map(({ target_signature, _min }) => [target_signature, _min.week ?? ""]));
    }),
  };
};

const VERSION = { intent: true, target_signature: true, status: true, steps_digest: true, created_at: true } as const;
const Version = Sop.pick(VERSION);

const SUMS = Object.fromEntries(Object.keys(Counts.shape).map((name) => [name, true as const])) as Record<
  keyof Counts,
  true
>;

/** SQLite allows 500 in one statement. */
const VERSIONS_AT_ONCE = 250;

const countedBy = ({ from, ...wanted }: Counted): Prisma.TaskScoreWhereInput => ({
  week: { gte: from },
  ...given(wanted),
});

const scoreOf = (row: ScoreRow): TaskScore => read(TaskScore, `score of ${row.task_id}`, [], row);
