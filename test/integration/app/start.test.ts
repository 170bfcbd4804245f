// A server that starts on a database with a fault: it serves, or it ends and leaves nothing open. It is never half dead.
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { startOrch } from "../../../src/app/start.ts";
import { readConfig } from "../../../src/config/config.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { sqlitePath } from "../../../src/store/database-target.ts";
import { check, wait } from "../../support/builders.ts";
import { runSql } from "../../support/database.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import { TOKEN } from "../../support/orch-process.ts";
import { WITHOUT_LOOKS } from "../../support/without-looks.ts";

const configOf = (directory: string) =>
  readConfig({
    ORCH_DATA_DIR: directory,
    HOME: directory,
    ORCH_PORT: "0",
    ORCH_TOKEN: TOKEN,
    ORCH_LOG_LEVEL: "silent",
    ...WITHOUT_LOOKS,
  });

/** Two tasks that a stop left in the middle of a wait, and one row of the first changed by hand. */
async function damaged(engine: Engine, sql: string): Promise<void> {
  for (const name of ["bad", "good"]) {
    await engine.learn("deploy", engine.targetOf(name), [wait("1s"), check("test -d /")]);
    await engine.call("submit_task", engine.contract(name, { delegation_mode: "known_only" }));
    const kinds = async () => (await engine.store.readJournal(name)).map(({ kind }) => kind);
    await expect.poll(kinds, { timeout: 10_000 }).toContain("step_started");
  }
  await runSql(engine.database, sql);
  await engine.shutDown();
}

const ask = async (url: string, path: string) => {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  // biome-ignore lint/suspicious/noExplicitAny: the test looks at one field
  return { status: response.status, body: (await response.json()) as any };
};

test("one damaged journal stops no other task: its task is left alone, and its target is held", async () => {
  await using engine = await openEngine({ env: { ORCH_DRAIN_SECONDS: "0" } });
  await damaged(engine, "UPDATE journal_event SET body = '{' WHERE thread_id = 'bad' AND seq = 3");
  const orch = await startOrch(configOf(engine.directory));
  try {
    expect(await ask(orch.url, "/readyz")).toMatchObject({ status: 200 });
    expect((await ask(orch.url, "/v1/tasks/good?wait_seconds=20")).body).toMatchObject({ status: "ok" });
    const { tasks } = (await ask(orch.url, "/v1/tasks?status=running")).body;
    expect(tasks).toMatchObject([{ task_id: "bad" }]);
  } finally {
    await orch.stop();
  }
});

test("a recovery that cannot succeed ends the start with what is wrong, and neither port nor lock is kept", async () => {
  await using engine = await openEngine({ env: { ORCH_DRAIN_SECONDS: "0" } });
  await damaged(engine, "ALTER TABLE sop RENAME TO sop_lost");
  const config = configOf(engine.directory);
  await expect(startOrch(config)).rejects.toMatchObject({ code: "database_unusable" });
  const database = await openDatabase({ url: `file:${sqlitePath(config.database_url)}`, exclusive: true });
  await database.close();
});

test("/readyz says when the file of the database is gone: what is written would be lost", async () => {
  await using engine = await openEngine();
  await engine.shutDown();
  const config = configOf(engine.directory);
  const orch = await startOrch(config);
  try {
    expect(await ask(orch.url, "/readyz")).toMatchObject({ status: 200 });
    rmSync(sqlitePath(config.database_url));
    await expect.poll(async () => (await ask(orch.url, "/readyz")).status, { timeout: 5_000 }).toBe(503);
  } finally {
    await orch.stop();
  }
});
