// One run: a server under a supervisor's load on one database, faults for the given time, a quiet end, and the checker's word.
import type { PostgresqlProxy } from "../support/postgresql-proxy.ts";
import { startRoutingModel } from "../support/routing-model.ts";
import { findingsOf, repeatedByLicence } from "./checker/findings.ts";
import type { Bundle, Finding, History } from "./checker/history.ts";
import { collect, untilQuiet } from "./collect.ts";
import { type Injected, inject, kills } from "./faults.ts";
import { createKeeper, type Keeper } from "./keeper.ts";
import { leftIn, startLoad } from "./load.ts";
import { createLosing, type Losing } from "./losing.ts";
import { createMarks } from "./marks.ts";
import { type PostgresqlFaults, postgresqlFaults } from "./postgresql.ts";
import { createRandom, type Random } from "./random.ts";
import { openFiles, sqliteFaults } from "./sqlite.ts";

// Far more than a server needs: a run that finds nothing does not wait for its end, also on a busy machine.
const QUIET_MS = 120_000;
const APPROVES = { requires_approval: true, matched_category: "restarting a service" };

export type DatabaseUnderTest =
  | { readonly name: "sqlite" }
  | { readonly name: "postgresql"; readonly url: string; readonly proxy: PostgresqlProxy };

export type RunOptions = {
  readonly database: DatabaseUnderTest;
  readonly data_dir: string;
  readonly seconds: number;
  readonly seed: number;
};

export type Figures = {
  readonly database: string;
  readonly seconds: number;
  readonly injected: Injected;
  readonly starts: number;
  readonly slowest_start_ms: number;
  readonly tasks: number;
  readonly marks: number;
  readonly dropped: number;
  readonly asked: number;
  readonly lost_answers: readonly LostAnswers[];
  readonly skipped: readonly string[];
  readonly repeated_by_licence: number;
  readonly messages: number;
  readonly sops: number;
};

type LostAnswers = Readonly<Record<"lost" | "tasks" | "effects" | "asked" | "twice", number>> & {
  readonly kind: string;
};

export type Result = {
  readonly figures: Figures;
  readonly findings: readonly Finding[];
  readonly bundles: readonly Bundle[];
};

export async function run({ database, data_dir, seconds, seed }: RunOptions): Promise<Result> {
  const random = createRandom(seed);
  const findings: Finding[] = [];
  const report = (finding: Finding) => void findings.push(finding);
  await using marks = await createMarks(data_dir, random.fork());
  await using losing = await createLosing(data_dir, random.fork());
  // It calls every failure a passing one: what code knows better has to hold.
  await using model = await startRoutingModel(APPROVES, { error_type: "transient" });
  const address = database.name === "sqlite" ? {} : { DATABASE_URL: database.proxy.url };
  const env = { MCP_CHAOS_URL: marks.url, LOG_LEVEL: "info", ...losing.env, ...model.env, ...address };
  const several = database.name === "postgresql";
  const keeper = createKeeper({ data_dir, env, random: random.fork(), report, several });
  await keeper.up();
  const load = startLoad({ urls: keeper.urls, marks, random, losing });
  const cut = new Set<string>();
  const target = await faultsOf({ database, data_dir, keeper, random: random.fork(), cut });
  const end = performance.now() + seconds * 1_000;
  const isEnding = () => performance.now() >= end;
  const often = kills(keeper, random.fork());
  const injected = await inject({ often, seldom: target.seldom }, { keeper, random: random.fork(), isEnding });
  await keeper.up();
  const { record, live, client } = await load.finish();
  await untilQuiet(client, QUIET_MS);
  load.stopReading();
  const seen = { ...(await collect(client)), live: await live };
  if (database.name === "sqlite")
    findings.push(...openFiles(data_dir).map((text) => ({ kind: "open file", task_id: null, text })));
  await target.stop();
  await keeper.stop();
  const { accepted, licences, refused, asked } = record;
  const leftovers = await leftIn(data_dir);
  const effects = await effectsOf(losing, accepted.keys());
  const history: History = { ...seen, marks: marks.all(), effects, licences, accepted, cut, leftovers };
  const figures: Figures = {
    database: database.name,
    seconds,
    injected,
    starts: keeper.starts(),
    slowest_start_ms: keeper.slowest(),
    tasks: accepted.size,
    marks: history.marks.length,
    dropped: marks.dropped(),
    asked: asked.length,
    lost_answers: lostAnswers(losing, effects, asked),
    skipped: losing.skipped,
    repeated_by_licence: repeatedByLicence(history),
    messages: seen.full.length,
    sops: seen.sops.length,
  };
  findings.push(...refused.map(({ task_id, text }) => ({ kind: "refused", task_id, text })), ...findingsOf(history));
  return { figures, findings, bundles: seen.bundles };
}

/** Of the tasks of its kinds, also those without one. */
async function effectsOf({ kinds, effects }: Losing, accepted: Iterable<string>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const task_id of accepted) if (kinds.some(({ kind }) => isOf(kind, task_id))) counts.set(task_id, 0);
  for (const task_id of await effects()) counts.set(task_id, (counts.get(task_id) ?? 0) + 1);
  return counts;
}

const isOf = (kind: string, task_id: string): boolean => task_id.startsWith(`${kind}-`);

const lostAnswers = ({ kinds }: Losing, effects: ReadonlyMap<string, number>, asked: readonly string[]) =>
  kinds.map(({ kind, lost }): LostAnswers => {
    const own = [...effects].flatMap(([task_id, times]) => (isOf(kind, task_id) ? [times] : []));
    return {
      kind,
      lost: lost(),
      tasks: own.length,
      effects: own.reduce((all, times) => all + times, 0),
      asked: asked.filter((task_id) => isOf(kind, task_id)).length,
      twice: own.filter((times) => times > 1).length,
    };
  });

type Given = Pick<RunOptions, "database" | "data_dir"> & {
  readonly keeper: Keeper;
  readonly random: Random;
  readonly cut: Set<string>;
};

async function faultsOf({ database, data_dir, keeper, random, cut }: Given): Promise<PostgresqlFaults> {
  if (database.name === "postgresql") return postgresqlFaults({ ...database, keeper, random, cut });
  return { seldom: sqliteFaults(data_dir, keeper, random), stop: async () => undefined };
}
