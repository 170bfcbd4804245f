// One run: a server under a supervisor's load on one database, faults for the given time, a quiet end, and the checker's word.
import type { PostgresqlProxy } from "../support/postgresql-proxy.ts";
import { findingsOf, repeatedByLicence } from "./checker/findings.ts";
import type { Bundle, Finding, History } from "./checker/history.ts";
import { collect, untilQuiet } from "./collect.ts";
import { type Injected, inject, kills } from "./faults.ts";
import { createKeeper, type Keeper } from "./keeper.ts";
import { leftIn, startLoad } from "./load.ts";
import { createMarks } from "./marks.ts";
import { type PostgresqlFaults, postgresqlFaults } from "./postgresql.ts";
import { createRandom, type Random } from "./random.ts";
import { openFiles, sqliteFaults } from "./sqlite.ts";

// Far more than a server needs: a run that finds nothing does not wait for its end, also on a busy machine.
const QUIET_MS = 120_000;

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
  readonly repeated_by_licence: number;
  readonly messages: number;
  readonly sops: number;
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
  const address = database.name === "sqlite" ? {} : { DATABASE_URL: database.proxy.url };
  const env = { MCP_CHAOS_URL: marks.url, LOG_LEVEL: "info", ...address };
  const several = database.name === "postgresql";
  const keeper = createKeeper({ data_dir, env, random: random.fork(), report, several });
  await keeper.up();
  const load = startLoad({ urls: keeper.urls, marks, random });
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
  const history: History = { ...seen, marks: marks.all(), licences, accepted, cut, leftovers };
  const figures: Figures = {
    ...{ database: database.name, seconds, injected, starts: keeper.starts(), slowest_start_ms: keeper.slowest() },
    ...{ tasks: accepted.size, marks: history.marks.length, dropped: marks.dropped(), asked },
    repeated_by_licence: repeatedByLicence(history),
    ...{ messages: seen.full.length, sops: seen.sops.length },
  };
  findings.push(...refused.map(({ task_id, text }) => ({ kind: "refused", task_id, text })), ...findingsOf(history));
  return { figures, findings, bundles: seen.bundles };
}

type Given = Pick<RunOptions, "database" | "data_dir"> & {
  readonly keeper: Keeper;
  readonly random: Random;
  readonly cut: Set<string>;
};

async function faultsOf({ database, data_dir, keeper, random, cut }: Given): Promise<PostgresqlFaults> {
  if (database.name === "postgresql") return postgresqlFaults({ ...database, keeper, random, cut });
  return { seldom: sqliteFaults(data_dir, keeper, random), stop: async () => undefined };
}
