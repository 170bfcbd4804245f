// orch migrate: what the next start does to the schema of the database, done now, or with --dry-run only shown as SQL.
import { z } from "zod";
import type { MigrateReport } from "../../backup/reports.ts";
import { counted } from "../../domain/outcome.ts";
import { printable, printableLines } from "../../domain/printable.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import type { Out } from "../out.ts";
import { block } from "../text-format.ts";

const Given = z.object({ dryRun: z.boolean().default(false) });

export const migrate = command(Given, async ({ parts, environment, out }, { dryRun }) => {
  const report = await parts.migrate(environment, { dry_run: dryRun });
  out.answer(report, () => (dryRun ? scriptOf(report) : linesOf(report, out)));
  for (const warning of report.warnings) out.note(`Note: ${warning}`);
  return EXIT.done;
});

const DATABASES = { sqlite: "SQLite", postgresql: "PostgreSQL" } as const;

const nameOf = ({ database, name }: MigrateReport): string => `${DATABASES[database]}, ${printable(name)}`;

/** A script of SQL, with what is not SQL as its comments. */
function scriptOf(report: MigrateReport): string[] {
  const { migrations, version, is_new } = report;
  if (migrations.length === 0) return [`nothing to do: ${nameOf(report)} has the schema of ${version}`];
  const before = is_new
    ? "The database is new, so nothing is backed up."
    : "Before them it backs the database up (ORCH_BACKUP_BEFORE_MIGRATION), and after each it adds a row to _prisma_migrations.";
  return [
    `-- ${nameOf(report)}: a start of orch ${version} runs ${counted(migrations.length, "migration")}, each in a transaction.`,
    `-- ${before}`,
    ...migrations.flatMap(({ name, sql }) => ["", `-- Migration ${name}`, ...printableLines(sql.trimEnd())]),
  ];
}

function linesOf(report: MigrateReport, { paint, width }: Out): string[] {
  const { migrations, version, backup } = report;
  if (migrations.length === 0) return [`nothing to do: ${nameOf(report)} has the schema of ${version}`];
  return [
    `${paint("bold", "migrated")}  ${nameOf(report)}`,
    ...block({ paint, width }, [
      ["to", `the schema of ${version}, by ${counted(migrations.length, "migration")}`],
      ["ran", migrations.map(({ name }) => name).join(", ")],
      ["backup", backup],
    ]),
  ];
}
