// A server of this version and one of the next beside each other, as in a rolling upgrade (D-329): the next one has migrations and a kind
// of event of its own, and this one goes on with what it can read.
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JOURNAL_LEVEL } from "../../../src/domain/journal.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { cmd } from "../../support/builders.ts";
import { cliOf } from "../../support/cli-process.ts";
import { type Cluster, createCluster, type Member, marking, until } from "../../support/cluster.ts";
import { runSql } from "../../support/database.ts";
import { server, settled, submit, teach } from "./scene.ts";

const NEWER = join(import.meta.dirname, "../../support/newer-version.ts");
const PATIENCE = { timeout: 240_000 };
const MIGRATIONS = join(import.meta.dirname, "../../../prisma/migrations");

describe.skipIf(server === null)("a server of this version", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await createCluster((await server?.createDatabase()) ?? "");
    await cp(MIGRATIONS, join(cluster.directory, "migrations"), { recursive: true });
    await migration(
      "29990101000000_newer",
      `ALTER TABLE "task" ADD COLUMN "of_newer" TEXT; CREATE TABLE "newer" ("a" TEXT);`,
    );
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await server?.stop();
  });

  async function migration(name: string, sql: string): Promise<void> {
    const folder = join(cluster.directory, "migrations/postgresql", name);
    await mkdir(folder);
    await writeFile(join(folder, "migration.sql"), sql);
  }

  /** As half a minute after it was killed. */
  async function expire(name: string): Promise<void> {
    const tool = await openDatabase({ url: cluster.database_url });
    const sql = "UPDATE server SET lease_expires_at = '2026-01-01T00:00:00.000Z' WHERE name = ?";
    await runSql(tool, sql, name);
    await tool.close();
  }

  const newer = (name: string): Promise<Member> =>
    cluster.start(name, { preload: NEWER, env: { NEWER_MIGRATIONS: join(cluster.directory, "migrations") } });

  const begun = (task_id: string) =>
    until(`a step of ${task_id}`, 20_000, () => cluster.marks().find((mark) => mark.task_id === task_id) ?? null);

  const claimsOf = async (task_id: string) =>
    (await cluster.rows()).filter((row) => row.thread_id === task_id && row.kind === "taken_up").length;

  test("goes on beside a newer one with what it can read, and leaves to it what it cannot", PATIENCE, async () => {
    const old = await cluster.start("old");
    await submit(old, "running");
    await teach(old, "running", [cmd(marking(0, "8")), cmd(marking(1, "0.1"))]);
    await begun("running");
    // It migrates while the other one runs.
    const next = await newer("next");
    await submit(next, "newer-task");
    await teach(next, "newer-task", [cmd(marking(0, "60"))]);
    await begun("newer-task");
    expect((await settled(old, "running")).status).toBe("ok");

    const doctor = JSON.parse((await cliOf(old)(["doctor", "--json"])).stdout);
    const seen = doctor.find(({ name }: { name: string }) => name === "servers");
    expect(seen).toMatchObject({
      state: "falls_back",
      fix: expect.stringContaining("Run the same version on every server."),
    });
    expect(seen.found).toContain(
      `the levels of their journals differ: ${JOURNAL_LEVEL}, 99\nnewer-task (running) waits for a server of level 99`,
    );

    await next.kill("SIGKILL");
    await expire("next");
    const claims = await claimsOf("newer-task");
    // Longer than two looks at the tasks of a process that has ended on this machine.
    await sleep(8_000);
    expect(await claimsOf("newer-task")).toBe(claims);
    const refused = await old.get("/v1/tasks/newer-task");
    expect(refused).toMatchObject({ status: 409, body: { code: "journal_newer", current: { needs_level: 99 } } });
    expect(refused.body.detail).toContain(`this one has ${JOURNAL_LEVEL}, and no live server can`);
    const { tasks, quarantined } = (await old.get("/v1/tasks")).body;
    expect(tasks[0]).toMatchObject({ task_id: "newer-task", needs_level: 99, next: [{ operation: "list_servers" }] });
    expect(quarantined).toEqual([]);
    expect((await old.get("/v1/servers")).body.unread).toEqual([
      { task_id: "newer-task", status: "running", needs_level: 99 },
    ]);
    await submit(old, "afterwards");
    await teach(old, "afterwards", [cmd("true")]);
    expect((await settled(old, "afterwards")).status).toBe("ok");

    const again = await newer("next");
    const asked = await until("the question", 30_000, async () => {
      const task = await settled(again, "newer-task", 2);
      return task.status === "need_input" ? task : null;
    });
    expect(asked).toMatchObject({ outcome: { reason_code: "step_outcome_unknown" }, needs_level: null });
    await again.post("/v1/tasks/newer-task/resolve", { resolution: "succeeded", index: 0 });
    expect((await settled(again, "newer-task")).status).toBe("ok");

    // Paused by the one, and resumed by the other: from the journal, whose events both can read.
    await submit(again, "paused");
    expect(await again.kill("SIGTERM")).toBe(0);
    await teach(old, "paused", [cmd("true")]);
    expect((await settled(old, "paused")).status).toBe("ok");
    expect(old.output()).not.toContain("was cut off by an error");
    expect(await old.kill("SIGTERM")).toBe(0);
    const restarted = await cluster.start("old");
    expect((await settled(restarted, "paused", 0)).status).toBe("ok");
    expect(await restarted.kill("SIGTERM")).toBe(0);
  });

  test("does not start on a database that a newer one has made for later versions alone, and says which", async () => {
    await migration("29990202000000_alone", `UPDATE "compatibility" SET "min_level" = 99, "min_version" = '10.1.0';`);
    const next = await newer("next");
    await next.get("/v1/servers");
    expect(await next.kill("SIGTERM")).toBe(0);
    await expect(cluster.start("old")).rejects.toThrow(
      `migrated by a newer version of orch (29990101000000_newer): it needs level 99, which orch has from version 10.1.0 on, and this one has level ${JOURNAL_LEVEL}; run version 10.1.0 or a later one`,
    );
  });
});
