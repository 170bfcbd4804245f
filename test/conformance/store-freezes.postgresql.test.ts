// Freezes and first steps of several sessions of PostgreSQL: which of two is first, and that none waits for ever (D-320).
import { PrismaPg } from "@prisma/adapter-pg";
import { afterAll, expect, test } from "vitest";
import { openFreeze } from "../../src/features/freeze/operations.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { postgres } from "../support/postgres.ts";
import { aFreeze, aThread, reported, started } from "./store-records.ts";

const server = postgres();
afterAll(() => server?.stop());

async function sessions() {
  const url = (await server?.createDatabase()) ?? "";
  const database = await openDatabase({ url });
  const store = createStore({ database, clock: () => new Date() });
  const other = await new PrismaPg({ connectionString: url }).connect();
  const dispose = async () => {
    await other.dispose();
    await database.close();
  };
  return { database, store, other, [Symbol.asyncDispose]: dispose };
}

const WAITING = "SELECT count(*)::int FROM pg_locks WHERE NOT granted AND relation = 'journal_event'::regclass";

test.skipIf(server === null)(
  "a freeze waits for the step that is being written, and the next one sees it",
  async () => {
    await using it = await sessions();
    const { store, other } = it;
    const waiting = async () => (await other.queryRaw({ sql: WAITING, args: [], argTypes: [] })).rows;
    await other.executeScript("BEGIN");
    await other.executeScript(
      `INSERT INTO journal_event (thread_id, seq, kind, body, message, at, prev_hash, hash)
     VALUES ('under-way', 1, 'step_started', '{}', FALSE, 'now', '', 'h')`,
    );
    const frozen = store.commit(openFreeze(aFreeze()));
    await expect.poll(waiting, { timeout: 10_000 }).toEqual([[1]]);
    const late = store.commit({ thread_id: aThread(), after: null, events: [started()], unless_frozen: [] });
    await expect.poll(waiting, { timeout: 10_000 }).toEqual([[2]]);
    await other.executeScript("COMMIT");
    expect(await frozen).toMatchObject({ ok: true });
    expect(await late).toEqual({ ok: false, conflict: "held" });
    const written = await it.database.client.journalEvent.findMany({ orderBy: { cursor: "asc" } });
    expect(written.map(({ kind }) => kind)).toEqual(["step_started", "frozen"]);
  },
);

test.skipIf(server === null)("freezes beside commits that report wait for none of them for ever", async () => {
  await using it = await sessions();
  const reporting = Array.from({ length: 30 }, () =>
    it.store.commit({ thread_id: aThread(), after: null, events: [reported()] }),
  );
  const freezing = Array.from({ length: 5 }, (_, nth) =>
    it.store.commit(openFreeze(aFreeze({ freeze_id: `freeze-0000000${nth}`, reason: `${nth}` }))),
  );
  const began = performance.now();
  for (const result of await Promise.all([...reporting, ...freezing])) expect(result).toMatchObject({ ok: true });
  expect(performance.now() - began).toBeLessThan(8_000);
  const cursors = (await it.store.readMessages(0, 99)).map(({ cursor }) => cursor);
  expect(cursors).toEqual(cursors.toSorted((a, b) => a - b));
  expect(cursors).toHaveLength(35);
});
