// `npm run chaos -- --minutes 2 --database sqlite|postgresql|both --seed N --out chaos.md`: real servers under load and faults, on each
// database in turn. Writes the report, and exits with 1 when anything was found.
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { runOn } from "./databases.ts";
import { lineOf, reportOf } from "./report.ts";
import type { Result } from "./run.ts";

const Options = z.object({
  minutes: z.coerce.number().positive().default(2),
  database: z.enum(["sqlite", "postgresql", "both"]).default("both"),
  seed: z.coerce
    .number()
    .int()
    .min(0)
    .default(() => Math.floor(Math.random() * 1e6)),
  out: z.string().default("chaos.md"),
});

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { minutes: text, database: text, seed: text, out: text } });
const { minutes, database, seed, out } = Options.parse(values);

const say = (line: string) => process.stdout.write(`${line}\n`);
const results: Result[] = [];
const skipped: string[] = [];
for (const name of database === "both" ? (["sqlite", "postgresql"] as const) : [database]) {
  say(`${name}: ${minutes} min of faults, seed ${seed}`);
  const result = await runOn(name, { seconds: minutes * 60, seed });
  if (result === null) skipped.push("PostgreSQL is not installed here: its part was skipped.");
  else {
    results.push(result);
    skipped.push(...result.figures.skipped);
    for (const finding of result.findings) say(lineOf(finding));
  }
}
const version = execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim();
const command = `npm run chaos -- --minutes ${minutes} --database ${database} --seed ${seed}`;
const report = reportOf({ results, seed, skipped, command, version: `Commit ${version}` });
await writeFile(out, report);
say(report.split("\n## Found")[0] ?? "");
process.exitCode = results.some(({ findings }) => findings.length > 0) ? 1 : 0;
