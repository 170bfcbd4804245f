-- The tasks that are DONE and that nothing outside has verified, of those whose contract wants it. Prisma cannot express a partial
-- index. The conditions are those of src/store/sql.ts.
CREATE INDEX task_verify_by ON task (status, ended_at, task_id)
  WHERE status = 'ok' AND verification IS NULL AND contract LIKE '%"verify_by":%';
CREATE INDEX task_verify_within ON task (status, ended_at, task_id)
  WHERE status = 'ok' AND verification IS NULL AND contract LIKE '%"verify_within_hours":%';
CREATE INDEX journal_event_verification_missed ON journal_event (thread_id) WHERE kind = 'verification_missed';
