// Runs orch backup, restore and migrate: the database as one file, back into an empty place, and in the schema of this version. None needs a server.
import { resolve } from "node:path";
import { z } from "zod";
import { command } from "../../cli/context.ts";
import { EXIT } from "../../cli/failure.ts";
import type { Out } from "../../cli/out.ts";
import { block } from "../../cli/text-format.ts";
import { counted, printable, printableLines } from "../../domain/printable.ts";
import type { BackupReport, MigrateReport, RestoreReport } from "./backup/reports.ts";

const Backup = z.object({ file: z.string(), withTokens: z.boolean().default(false) });

export const backup = command(Backup, async ({ parts, environment, cwd, out }, { file, withTokens }) => {
  const report = await parts.backup(environment, { file: resolve(cwd, file), with_tokens: withTokens });
  out.answer(report, () => backupLines(report, out));
  const { broken } = report.manifest;
  if (broken.length > 0)
    out.note(`These journals are not whole, in the database either: ${broken.map(printable).join(", ")}`);
  if (report.unrecorded !== null) out.note(`The time of this backup is not on record: ${report.unrecorded}`);
  return EXIT.done;
});

function backupLines({ file, bytes, manifest }: BackupReport, { paint, width }: Out): string[] {
  const { tasks, head, cursor, parts, taken_at } = manifest;
  const sums = parts.map(({ name, sha256 }): [string, string] => [`${name} sha256`, sha256]);
  return [
    `${paint("bold", "backed up")}  ${printable(file)}`,
    ...block({ paint, width }, [
      ["holds", `${counted(tasks, "task")}, ${counted(head.threads, "journal")} up to event ${cursor}`],
      ["size", `${bytes} bytes`],
      ["taken at", taken_at],
      ["head", head.root],
      ...sums,
    ]),
  ];
}

const Sample = z.coerce.number().int("must be a whole number").min(1, "must be at least 1").optional();
const Restore = z.object({ file: z.string(), sample: Sample });

export const restore = command(Restore, async ({ parts, environment, cwd, out }, { file, sample }) => {
  const report = await parts.restore(environment, { file: resolve(cwd, file), sample });
  out.answer(report, () => restoreLines(report, out));
  return EXIT.done;
});

function restoreLines(report: RestoreReport, { paint, width }: Out): string[] {
  const { manifest, journals_verified, journals_archived, journals_broken, settled, token } = report;
  const { tasks, head, taken_at } = manifest;
  const { asked, parked, expired, left, promotions, schedules, unverified, quarantined } = settled;
  const lines: [string, string | null][] = [
    [
      "holds",
      `${counted(tasks, "task")}; of ${counted(head.threads, "journal")} ${journals_verified} read and found whole`,
    ],
    [
      "archived",
      inAll(journals_archived, "journal", "of which only the end was read: the rest is in ORCH_ARCHIVE_DIR"),
    ],
    ["broken", journals_broken.length === 0 ? null : journals_broken.map(printable).join(", ")],
    ["asked about", inAll(asked, "task", "in which a step had begun")],
    ["parked", inAll(parked, "task", "that waited or ran; each goes on when it is let go on")],
    ["expired", inAll(expired, "task", "whose approval was pending")],
    ["asked again", inAll(left, "task", "that waited for the supervisor")],
    ["promotions", inAll(promotions, "approval", "that was pending, expired")],
    ["schedules", inAll(schedules, "schedule", "that is paused now; resume it: orch schedule resume NAME")],
    ["unverified", inAll(unverified, "task", "that no procedure verifies any more")],
    ["quarantine", quarantined.length === 0 ? null : quarantined.join(", ")],
    ["token", token === "none" ? null : TOKENS[token]],
  ];
  return [`${paint("bold", "restored")}  as of ${printable(taken_at)}`, ...block({ paint, width }, lines)];
}

const TOKENS = { restored: "restored", kept: "there was one already, which stays" } as const;

const inAll = (count: number, noun: string, which: string): string | null =>
  count === 0 ? null : `${counted(count, noun)} ${which}`;

// orch migrate: what the next start does to the schema of the database, done now, or with --dry-run only shown as SQL.

const Migrate = z.object({ dryRun: z.boolean().default(false) });

export const migrate = command(Migrate, async ({ parts, environment, out }, { dryRun }) => {
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
