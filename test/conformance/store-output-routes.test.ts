// Which server is asked for what the steps of a task write: another one that lives, works on it, and says where it is reached (D-395).
import { afterAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { outputRoutes } from "../../src/store/read-servers.ts";
import { createStore } from "../../src/store/store.ts";
import { runSql, sqlRows, temporaryFolder } from "../support/database.ts";
import { postgres } from "../support/postgres.ts";
import { aTask } from "./store-records.ts";

const folder = temporaryFolder();
const server = postgres();
afterAll(async () => {
  folder.remove();
  await server?.stop();
});

const REACHED = { url: "http://nas.internal:3400", output_secret: "s".repeat(43) };
const OWN = { name: "nas", labels: [] };

/** The id of a new task of this server. */
async function runs(database: Database, task_id: string): Promise<string> {
  const task = aTask({ task_id, status: "running", owner: database.servers.owner });
  const store = createStore({ database, clock: () => new Date() });
  await store.commit({ thread_id: task_id, after: null, events: [], changes: [{ on: "task_created", task }] });
  return task_id;
}

test("on SQLite there is none", async () => {
  const database = await openDatabase({ url: `file:${folder.path}/routes.db`, exclusive: true, self: OWN });
  expect(await outputRoutes(database)(await runs(database, "t"))).toBeNull();
  await database.close();
});

describe.skipIf(server === null)("the way to the output of a task", () => {
  test("leads from every other server to its owner, while that lives and has an address", async () => {
    const url = (await server?.createDatabase()) ?? "";
    const owner = await openDatabase({ url, exclusive: true, self: { ...OWN, ...REACHED } });
    const mute = await openDatabase({ url, exclusive: true, self: { ...OWN, name: "mute" } });
    const routeOf = outputRoutes(mute);
    await runs(owner, "reached");
    await runs(mute, "unreached");
    const { servers } = owner;
    const secret = REACHED.output_secret;
    expect(await routeOf("reached")).toEqual({ server_id: servers.owner, name: "nas", url: REACHED.url, secret });
    expect(await outputRoutes(owner)("reached")).toBeNull();
    expect([await outputRoutes(owner)("unreached"), await routeOf("none")]).toEqual([null, null]);
    const described = await createStore({ database: mute, clock: () => new Date() }).describeServers();
    expect(described.servers.map((one) => [one.name, one.url])).toEqual([
      ["mute", null],
      ["nas", REACHED.url],
    ]);
    expect(JSON.stringify(described)).not.toContain(secret);
    const lease = "UPDATE server SET lease_expires_at = ? WHERE server_id = ?";
    await runSql(mute, lease, "2026-01-01T00:00:00.000Z", servers.owner);
    expect(await routeOf("reached")).toBeNull();
    await owner.heartbeat();
    expect(await routeOf("reached")).not.toBeNull();
    await owner.close();
    expect(await routeOf("reached")).toBeNull();
    await mute.close();
  });

  test("is no part of the sum of its server: one of the version before, which does not know it, takes its tasks over", async () => {
    const url = (await server?.createDatabase()) ?? "";
    const first = await openDatabase({ url, exclusive: true, self: { ...OWN, ...REACHED } });
    const second = await openDatabase({ url, exclusive: true, self: OWN });
    await runSql(second, "UPDATE server SET output_secret = NULL");
    await first.heartbeat();
    const gone =
      "UPDATE server SET lease_expires_at = '2026-01-01T00:00:00.000Z' WHERE server_id = ? RETURNING row_sum";
    await sqlRows(second, gone, first.servers.owner);
    await second.servers.look();
    expect(await second.servers.takeOver(first.servers.owner)).toBe(true);
    await expect(first.heartbeat()).rejects.toMatchObject({ code: "fenced" });
    for (const database of [first, second]) await database.close();
  });
});
