// The tables of orch in PostgreSQL. The database may be shared with other applications, whose tables are none of its business.

/** Those of prisma/migrations, and the history of these. */
export const OUR_TABLES = [
  "_prisma_migrations",
  "anchor_leaf",
  "approval",
  "archived",
  "check_look",
  "checkpoint",
  "checkpoint_blob",
  "checkpoint_write",
  "compatibility",
  "delivery",
  "duty",
  "journal_event",
  "schedule",
  "server",
  "sop",
  "target_hold",
  "task",
  "task_score",
  "token_bucket",
  "work_freeze",
] as const;

/** With their sequences, and indexes. */
export const DROP_OURS = `DROP TABLE IF EXISTS ${OUR_TABLES.map((name) => `public."${name}"`).join(", ")}`;

/** Any table or view of a user, but what an extension has brought. */
export const FOREIGN = `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class
  JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname <> 'information_schema' AND nspname !~ '^pg_'
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  ORDER BY name LIMIT 1`;
