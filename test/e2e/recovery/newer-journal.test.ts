// A journal with a kind of event that this version does not know, as a newer version writes it: the server starts, leaves its task alone and
// says so.
import { afterAll, describe, expect, test } from "vitest";
import { chain, type NewEvent } from "../../../src/domain/journal.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { insertEvents } from "../../../src/store/sql.ts";
import { check, cmd } from "../../support/builders.ts";
import { sqlRows } from "../../support/database.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";
import { databasesOfEachChange, postgres } from "../../support/postgres.ts";
import { begin, serve, settled, submit, teach } from "./begin.ts";

const server = postgres();
afterAll(() => server?.stop());

/** Appends it as a server of that version would. */
async function write(url: string, thread_id: string, tail: { seq: number; hash: string; at: string }): Promise<void> {
  const unknown = { kind: "of_a_later_version", body: { note: "n" } } as unknown as NewEvent;
  const rows = chain(thread_id, tail, [unknown], tail.at).map(({ body, ...event }) => ({
    ...event,
    body: JSON.stringify(body),
    message: false,
  }));
  const database = await openDatabase({ url });
  await insertEvents(database.client, rows, []);
  await database.close();
}

describe.each(databasesOfEachChange(server))("on %s", (_kind, create) => {
  test("a task is left to a newer version when its journal has an event of that version", async () => {
    const directory = await temporaryDirectory();
    await using _ = directory;
    const env = await create();
    const { DATABASE_URL }: { DATABASE_URL?: string } = env;
    const url = DATABASE_URL ?? `file:${directory.path}/state/orch.db`;
    const first = await serve({ data_dir: directory.path, env });
    await begin(first, "newer", [cmd("touch begun; sleep 30"), check("test -d /")]);
    await submit(first, "asks", "asks");
    await first.kill("SIGKILL");
    const tool = await openDatabase({ url });
    for (const thread_id of ["newer", "asks"]) {
      const sql = "SELECT seq, hash, at FROM journal_event WHERE thread_id = ? ORDER BY seq DESC LIMIT 1";
      const [tail] = await sqlRows<{ seq: number; hash: string; at: string }>(tool, sql, thread_id);
      if (tail !== undefined) await write(url, thread_id, tail);
    }
    await tool.close();
    await using second = await serve({ data_dir: directory.path, env });
    await begin(second, "other", [check("test -d /")]);
    expect(await settled(second, "other")).toMatchObject({ status: "ok" });
    const refused = await teach(second, "asks", [check("test -d /")]);
    expect(refused).toMatchObject({ status: 409, body: { code: "journal_newer" } });
    expect(refused.body.detail).toContain('has the unknown kind "of_a_later_version", which a newer version');
    expect((await second.post("/v1/tasks/newer/cancel", {})).body).toMatchObject({ code: "journal_newer" });
    expect(second.output()).toContain("a task is left to a server of the version that has written it");
    const { body } = await second.get("/v1/tasks");
    expect(body.tasks.map(({ task_id }: { task_id: string }) => task_id).toSorted()).toEqual([
      "asks",
      "newer",
      "other",
    ]);
    expect(body.quarantined).toEqual([]);
    expect(await second.kill("SIGTERM")).toBe(0);
  });
});
