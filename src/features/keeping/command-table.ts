// Commands that back up, restore and migrate the database, and that print the roots over its journals.
import type { CommandEntry } from "../../cli/table/command.ts";

export const KEEPING_COMMANDS: readonly CommandEntry[] = [
  {
    name: "backup",
    summary: "write the database to one file, beside a running server or without one",
    run: async () => (await import("./commands.ts")).backup,
    examples: ["orch backup /var/backups/orch.backup", "orch backup orch.backup --with-tokens --json"],
    arguments: [["<file>", "the file to write; one that is there is not touched"]],
    options: [["--with-tokens", "also the bearer token of the data directory"]],
    more: "Reads DATABASE_URL and ORCH_DATA_DIR as the server does. head -1 FILE shows what is in it. What ORCH_ARCHIVE_DIR holds are files of their own. PostgreSQL: needs pg_dump of the version of its server.",
  },
  {
    name: "restore",
    summary: "bring a backup back into an empty place",
    run: async () => (await import("./commands.ts")).restore,
    examples: ["orch restore /var/backups/orch.backup", "orch restore orch.backup --sample 1000"],
    arguments: [["<file>", "a file of orch backup"]],
    options: [
      ["--sample <n>", "read only n journals, any of them, from their first to their last entry (default: all)"],
    ],
    more: "The place is that of DATABASE_URL and ORCH_DATA_DIR, and must be empty. Nothing that was under way goes on by itself afterwards: a step that had begun is asked about, other tasks wait to be let go on, pending approvals have expired, and schedules do not catch up. Freezes stay.",
  },
  {
    name: "migrate",
    summary: "bring the database to the schema of this version, as the next start does",
    run: async () => (await import("./commands.ts")).migrate,
    examples: ["orch migrate --dry-run", "orch migrate --json"],
    options: [["--dry-run", "only print the SQL, in its order; nothing is changed, also beside a running server"]],
    more: "A start migrates by itself; the command does it without one, after a backup in backups/ of the data directory. A server of a SQLite file has to be stopped first; those of PostgreSQL go on. Exit code 2: a start would be refused, and the message says why.",
  },
];

export const ANCHOR_COMMANDS: readonly CommandEntry[] = [
  {
    name: "anchors",
    summary: "print the root over all journals of each day, one line a day",
    run: async () => (await import("../../cli/commands/evidence.ts")).anchors,
    examples: ["orch anchors"],
    more: "A root that was kept where this machine cannot change it proves later what a journal was that day: orch evidence FILE --verify --anchor ROOTS.",
    calls: [{ operation: "list_anchors", parameters: {} }],
  },
];
