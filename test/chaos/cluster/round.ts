// One round: servers on a new database under a supervisor's load, killed again and again at a commit, faults that take long beside it, a
// quiet end, and the word of the checkers. What an honest round has left is removed.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clockAhead } from "../../support/clock-ahead.ts";
import { createLives } from "../../support/lives.ts";
import { linesOf } from "../../support/orch-process.ts";
import type { Postgres } from "../../support/postgres.ts";
import { readJournals } from "../../support/read-journals.ts";
import { findingsOf } from "../checker/findings.ts";
import type { Bundle, Finding, History } from "../checker/history.ts";
import { findingOf, historyBreaches } from "../checker/journals.ts";
import { marksIn, outsideBreaches } from "../checker/outside.ts";
import { collect, untilQuiet } from "../collect.ts";
import { leftIn, startLoad } from "../load.ts";
import { createMarks } from "../marks.ts";
import { createRandom } from "../random.ts";
import { watchAbandoned } from "./abandoned.ts";
import { injectAll, killsIn } from "./kills.ts";
import { leakedHolds, writeRows } from "./left-rows.ts";
import { createMember, type Member } from "./members.ts";

const QUIET_MS = 90_000;
const AHEAD_SECONDS = 600;
/** On a machine that needs longer for a start nothing is shown. */
const MOST_BUSY_MS = 10_000;
const NO_CLOCK = "a clock that could not be set, as faketime is not installed";

export type RoundGiven = {
  readonly server: Postgres;
  /** The last one is on another machine. */
  readonly servers: number;
  readonly kills: number;
  readonly seed: number;
  /** From 0: it decides which of the faults that take long comes first. */
  readonly round: number;
};

export type Round = {
  readonly injected: ReadonlyMap<string, number>;
  readonly kills: number;
  readonly seconds: number;
  readonly tasks: number;
  readonly entries: number;
  readonly runs: number;
  readonly takeovers: number;
  readonly asked: number;
  /** Milliseconds for which a task was left at the longest. */
  readonly longest_left: number;
  readonly findings: readonly Finding[];
  /** Of the tasks that are at fault. */
  readonly bundles: readonly Bundle[];
};

export async function playRound(given: RoundGiven): Promise<Round> {
  const directory = await mkdtemp(join(tmpdir(), "orch-chaos-cluster-"));
  const round = await inDirectory(directory, given);
  if (round.findings.length === 0) await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  else process.stdout.write(`the data and server.log are left in ${directory}\n`);
  return round;
}

async function inDirectory(directory: string, { server, servers, kills, seed, round }: RoundGiven): Promise<Round> {
  const began = performance.now();
  const random = createRandom(seed + round);
  const database_url = await server.createDatabase();
  const lives = createLives();
  const findings: Finding[] = [];
  await using marks = await createMarks(directory, random.fork());
  const env = { MCP_CHAOS_URL: marks.url, LOG_LEVEL: "info" };
  const isTurn = round % 3 === 2;
  const clock = isTurn ? clockAhead(AHEAD_SECONDS) : null;
  const report = (finding: Finding) => void findings.push(finding);
  const names = Array.from({ length: servers }, (_, place) => `server${place + 1}`);
  await using stack = new AsyncDisposableStack();
  const members: Member[] = [];
  for (const [place, name] of names.entries()) {
    const own = place === 0 && clock !== null ? { ...env, ...clock } : env;
    const member = await createMember({
      name,
      database_url,
      directory,
      env: own,
      random: random.fork(),
      lives,
      report,
      is_elsewhere: place === servers - 1,
    });
    members.push(stack.use(member));
    // The first one makes the tables.
    await member.keeper.up();
  }
  const starts = members.map(({ keeper }) => keeper.current().took() ?? 0);
  const abandoned = watchAbandoned(database_url, lives.all, Math.min(MOST_BUSY_MS, Math.max(...starts)));
  const load = startLoad({ urls: () => members.flatMap(({ keeper }) => keeper.urls()), marks, random, lanes: "few" });
  const [elsewhere, here] = [members.at(-1), members.slice(0, -1)];
  if (elsewhere === undefined) throw new Error("a round has a server");
  const injected = await injectAll({ members: here, elsewhere, server, random: random.fork(), kills, round });
  if (isTurn) injected.set(clock === null ? NO_CLOCK : "a clock ten minutes ahead", 1);
  for (const { keeper } of members) await keeper.up();
  const { record, live, client } = await load.finish();
  await untilQuiet(client, QUIET_MS);
  load.stopReading();
  const seen = { ...(await collect(client)), live: await live };
  findings.push(...(await abandoned.stop()));
  findings.push(...(await leakedHolds(database_url)));
  await stack.disposeAsync();
  const rows = await readJournals(database_url);
  const { accepted, licences, refused, asked } = record;
  const leftovers = await leftIn(directory);
  const times = marksIn(linesOf(join(directory, "times")));
  const history: History = {
    ...seen,
    marks: marks.all(),
    effects: new Map(),
    licences,
    accepted,
    cut: new Set(),
    leftovers,
  };
  const judged = [...historyBreaches(rows, lives.all()), ...outsideBreaches(rows, times)].map(findingOf);
  findings.push(...refused.map(({ task_id, text }) => ({ kind: "refused", task_id, text })));
  // What the journals break is judged once, with the order of the database.
  findings.push(
    ...findingsOf({ ...history, cut: new Set() }).filter(({ text }) => !text.startsWith("entry ")),
    ...judged,
  );
  if (findings.length > 0) await writeRows(database_url, directory);
  await server.removeDatabase(database_url);
  const blamed = new Set(findings.map(({ task_id }) => task_id));
  return {
    injected,
    kills: killsIn(injected),
    seconds: (performance.now() - began) / 1_000,
    tasks: accepted.size,
    entries: rows.length,
    runs: times.filter(({ what }) => what === "start").length,
    asked: asked.length,
    takeovers: rows.filter(({ kind, body }) => kind === "taken_up" && body["crashed"] === true).length,
    longest_left: abandoned.longest(),
    findings,
    bundles: seen.bundles.filter(({ task_id }) => blamed.has(task_id)),
  };
}
