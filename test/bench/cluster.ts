// `npm run bench:cluster [-- --rounds N --seconds N --callers N]`: one and three servers on a PostgreSQL of their own, each server a process and the load
// this one. With `--against COMMIT` instead: one server beside one of that commit. Figures of time are of this machine and this moment, those
// of the processor hardly. Exits with 1 where 50 submits a second are not answered in time.
import { execFileSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { z } from "zod";
import { postgres } from "../support/postgres.ts";
import { benchAgainst } from "./cluster/against.ts";
import { benchHeldWaits } from "./cluster/held-waits.ts";
import { benchThroughput } from "./cluster/throughput.ts";
import { say } from "./table.ts";

const CALLERS = 48;
/** With as many a server is never without work. */
const MOST_PAIRED = 16;

const count = z.coerce.number().int().positive();
const Options = z.object({
  rounds: count.default(6),
  seconds: count.default(10),
  against: z.string().optional(),
  callers: count.default(CALLERS),
  only: z.enum(["throughput", "waits"]).optional(),
});
const text = { type: "string" } as const;
const { values } = parseArgs({ options: { rounds: text, seconds: text, against: text, callers: text, only: text } });
const { rounds, seconds, against, callers, only } = Options.parse(values);

if (postgres() === null) process.exit(1);
const version = execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim();
const busy = () => `load average ${loadavg()[0]?.toFixed(1)}`;
say(
  `orch ${version}, node ${process.version}, ${cpus().length} cores, ${busy()}; PostgreSQL and SQLite flush every commit`,
);
if (against !== undefined) {
  await benchAgainst(against, rounds, [
    { at_once: 1, seconds },
    { at_once: Math.min(callers, MOST_PAIRED), seconds },
  ]);
} else {
  if (only !== "waits") await benchThroughput(rounds, { at_once: callers, seconds });
  if (only !== "throughput" && !(await benchHeldWaits(2 * seconds))) process.exitCode = 1;
}
say(`\n${busy()} at the end`);
