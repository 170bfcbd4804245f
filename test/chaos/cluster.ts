// `npm run chaos:cluster -- --kills 1000 --servers 4 --minutes 90 --seed N --round 1 --out chaos-cluster.md`: several servers on one PostgreSQL
// under load, killed at commits, in rounds of 50 kills with long faults beside them. `--seed N --round R` goes on at that round, and none
// begins after the minutes. Exits with 1 when anything was found.
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { postgres } from "../support/postgres.ts";
import { endWithProgram } from "./cluster/members.ts";
import { clusterReport, roundLine } from "./cluster/report.ts";
import { playRound, type Round } from "./cluster/round.ts";
import { lineOf } from "./report.ts";

const KILLS_A_ROUND = 50;

const count = z.coerce.number().int().positive();
const Options = z.object({
  kills: count.default(KILLS_A_ROUND),
  servers: count.min(4).max(9).default(4),
  minutes: count.optional(),
  seed: z.coerce
    .number()
    .int()
    .min(0)
    .default(() => Math.floor(Math.random() * 1e6)),
  round: count.default(1),
  out: z.string().default("chaos-cluster.md"),
});

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: { kills: text, servers: text, minutes: text, seed: text, round: text, out: text },
});
const { kills, servers, minutes = Number.POSITIVE_INFINITY, seed, out, ...from } = Options.parse(values);

const say = (line: string) => process.stdout.write(`${line}\n`);
const commandAt = (round: number) =>
  `npm run chaos:cluster -- --kills ${kills} --servers ${servers} --seed ${seed} --round ${round}`;

const server = postgres({ commit_times: true });
if (server === null) {
  say("npm run chaos:cluster needs PostgreSQL's programs (initdb, pg_ctl, postgres): install the package postgresql.");
  process.exit(1);
}
endWithProgram();
const version = execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim();
const rounds: Round[] = [];
try {
  for (let round = from.round; (round - 1) * KILLS_A_ROUND < kills; round++) {
    if (performance.now() > minutes * 60_000) break;
    const left = Math.min(KILLS_A_ROUND, kills - (round - 1) * KILLS_A_ROUND);
    const played = await playRound({ server, servers, kills: left, seed, round: round - 1 });
    rounds.push(played);
    say(roundLine(round, played));
    for (const finding of played.findings) say(lineOf(finding));
    if (round * KILLS_A_ROUND < kills) say(`To go on here later: ${commandAt(round + 1)}`);
    await writeFile(out, clusterReport({ rounds, first: from.round, command: commandAt(from.round), version }));
  }
} finally {
  await server.stop();
}
process.exitCode = rounds.some(({ findings }) => findings.length > 0) ? 1 : 0;
