// One run: a server under a supervisor's load on one database, faults for the given time, a quiet end, and the checker's word.
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresqlProxy } from "../support/postgresql-proxy.ts";
import { findingsOf, repeatedByLicence } from "./checker/findings.ts";
import type { Bundle, Finding, History } from "./checker/history.ts";
import { createClient } from "./client.ts";
import { collect, untilQuiet } from "./collect.ts";
import { type Injected, inject, kills } from "./faults.ts";
import { createKeeper, type Keeper } from "./keeper.ts";
import { lane, readMessages } from "./lanes.ts";
import { createMarks, type Marks } from "./marks.ts";
import { type PostgresqlFaults, postgresqlFaults } from "./postgresql.ts";
import { processesOf } from "./processes.ts";
import { createRandom, type Random } from "./random.ts";
import { openFiles, sqliteFaults } from "./sqlite.ts";
import type { Record } from "./supervisor.ts";

const LANES = 6;
// Each is far more than a server needs: connections that are silent are heard of after 15 s, and tasks of another server are
// claimed after the 30 s of their lease. A run that finds nothing waits for none of them to the end, also on a busy machine.
const PATIENCE_MS = 90_000;
const QUIET_MS = 120_000;
const GONE_MS = 30_000;

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
  const keeper = createKeeper({ data_dir, env, random: random.fork(), report });
  await keeper.up();
  const load = startLoad({ keeper, marks, random });
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

/** The processes that are left of the servers, once there are none, or after the time. */
async function leftIn(data_dir: string): Promise<readonly string[]> {
  for (const end = performance.now() + GONE_MS; performance.now() < end; await sleep(250))
    if (processesOf(data_dir).length === 0) return [];
  return processesOf(data_dir);
}

function startLoad({ keeper, marks, random }: { keeper: Keeper; marks: Marks; random: Random }) {
  const client = createClient(keeper.urls, random.fork());
  const record: Record = { accepted: new Map(), licences: [], refused: [], asked: 0 };
  let isEnding = false;
  let isOver = false;
  let isRead = false;
  const lanes = Array.from({ length: LANES }, (_, n) =>
    lane({ client, marks, record, random: random.fork(), isOver: () => isOver }, `lane${n + 1}`, () => isEnding),
  );
  const live = readMessages(client, () => isRead);
  return {
    /** No new task is begun. Resolves once those that have begun are seen through, or patience is at its end. */
    finish: async () => {
      isEnding = true;
      const patience = new AbortController();
      const late = sleep(PATIENCE_MS, null, { signal: patience.signal }).catch(() => undefined);
      await Promise.race([Promise.all(lanes), late]);
      patience.abort();
      isOver = true;
      await Promise.all(lanes);
      return { record, live, client };
    },
    stopReading: () => {
      isRead = true;
    },
  };
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
