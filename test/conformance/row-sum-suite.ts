// Every column of every table: a value that is changed on the disk is noticed, costs its own record, and is right again once it
// is put back. A new column is covered, or named below with its reason.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import { expect, test } from "vitest";
import type { Change } from "../../src/domain/change.ts";
import type { Store } from "../../src/ports.ts";
import { PrismaSaver } from "../../src/store/checkpoint-saver.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { isWhole } from "../../src/store/rows.ts";
import { createStore } from "../../src/store/store.ts";
import { runSql, sqlRows } from "../support/database.ts";
import { aFreeze, anApproval, aSchedule, aScore, aSop, aTask, reported, started } from "./store-records.ts";

const NOT_FOUND = "it is not found then: its node lacks a value or runs again, and the journal says what was done";
const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  [
    "task.lease_expires_at",
    "renewed in one statement for many rows; it only says how long another server is waited for",
  ],
  ["journal_event.cursor", "given by the database; it orders the messages of different threads"],
  ...["blob.thread_id", "blob.ns", "blob.channel", "blob.version"].map(
    (key) => [`checkpoint_${key}`, NOT_FOUND] as const,
  ),
  ...["write.thread_id", "write.ns", "write.checkpoint_id"].map((key) => [`checkpoint_${key}`, NOT_FOUND] as const),
  ["server.output_secret", "new beside servers that do not know it; an altered one opens nothing (D-395)"],
  ["server.drain_asked_at", "written by another server; an altered one stops a server, and its tasks go on elsewhere"],
  ["server.lease_expires_at", "renewed with each heartbeat, and compared with the clock of the database only"],
  ["server.seen_at", "written with each heartbeat and read by no code"],
  ["server.skew_ms", "written with each heartbeat and shown"],
  ["server.windows_digest", "shown, and new beside servers that do not know it (D-401)"],
]);

/** Rows that last for a run of a task, and who had a target is in the journals; or that count for a minute. A leaf is held by the root that its day has. */
const WITHOUT_SUM = ["target_hold", "token_bucket", "compatibility", "anchor_leaf"];

const AT = "2026-03-06T09:00:00.000Z";

type Value = string | number | boolean | Uint8Array | null;
type Part = { readonly store: Store; readonly saver: PrismaSaver; readonly database: Database };
type Subject = {
  /** Selects the row that is changed. */
  readonly where: string;
  /** What is read of its record. Null for what is not there, or is found out again. */
  readonly read: (part: Part, id: Id) => Promise<unknown>;
  /** Every record of the table that is listed. */
  readonly list?: (part: Part) => Promise<unknown[]>;
};

type Id = "one" | "other";
const KEYS = { one: "00000000-0000-4000-8000-000000000008", other: "00000000-0000-4000-8000-000000000009" };

const FREEZES = { one: "freeze-00000001", other: "freeze-00000003" };

const config = (thread_id: string) => ({ configurable: { thread_id, checkpoint_ns: "" } });
const checkpointed: Subject = {
  where: "thread_id = 'one'",
  read: ({ saver }, id) => saver.getTuple(config(id)),
};

/** The row of the server that has the database open. */
function ofServer(server_id: string): Subject {
  return {
    where: `server_id = '${server_id}'`,
    read: async ({ database }, id) => {
      const row = await database.client.server.findUnique({ where: { server_id } });
      return id === "other" || row === null || !isWhole(row) ? null : row.server_id;
    },
  };
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  task: {
    where: "task_id = 'one'",
    read: ({ store }, id) => store.findTask(id),
    list: ({ store }) => store.listTasks({ limit: 9 }),
  },
  journal_event: {
    where: "thread_id = 'one' AND seq = 2",
    read: ({ store }, id) => store.readJournal(id),
    list: async ({ store }) => (await store.readMessages(0, 9)).map(({ event }) => event),
  },
  sop: {
    where: `sop_id = '${KEYS.one}'`,
    read: ({ store }, id) => store.findSop(KEYS[id]),
    list: ({ store }) => store.listSops({ limit: 9 }),
  },
  approval: {
    where: `approval_id = '${KEYS.one}'`,
    read: ({ store }, id) => store.findApproval(KEYS[id]),
    list: ({ store }) => store.listApprovals({ limit: 9 }),
  },
  check_look: {
    where: "digest = 'one'",
    read: ({ store }, id) => store.findCheckLook("red", id),
  },
  delivery: {
    where: "receiver = 'one'",
    read: async ({ store }, id) => (await store.findDelivered(id)) || null,
  },
  task_score: {
    where: "task_id = 'one'",
    read: ({ store }, id) => store.findScore(id),
    list: ({ store }) => store.scoresOfSop(KEYS.one, 9),
  },
  duty: {
    where: "name = 'one'",
    read: async ({ store }, id) => (await store.findDuty(id)) || null,
  },
  schedule: {
    where: "name = 'one'",
    read: ({ store }, id) => store.findSchedule(id),
    list: ({ store }) => store.listSchedules({ limit: 9 }),
  },
  work_freeze: {
    where: "freeze_id = 'freeze-00000001'",
    read: ({ store }, id) => store.findFreeze(FREEZES[id]),
    list: ({ store }) => store.listFreezes({ limit: 9 }),
  },
  server: ofServer("orch"),
  checkpoint: checkpointed,
  checkpoint_blob: { ...checkpointed, where: "thread_id = 'one' AND channel = 'plan'" },
  checkpoint_write: checkpointed,
  archived: {
    where: "task_id = 'kept-one'",
    read: ({ store }, id) => store.findArchived(`kept-${id}`),
  },
};

/** A journal of which all but the last event is in a file. */
async function archive({ store }: Part, id: Id): Promise<void> {
  const task_id = `kept-${id}`;
  const made = await store.commit({ thread_id: task_id, after: null, events: [started(), reported()] });
  const last = made.ok ? made.events.at(-1) : undefined;
  if (last === undefined) throw new Error("a journal was written");
  const place = { file: `${id}.ndjson.zst`, file_offset: 7, file_bytes: 70, bundle_digest: id, archived_at: AT };
  const archived = { task_id, last_seq: last.seq, last_hash: last.hash, ...place };
  const kept = { thread_id: `archive/${id}`, after: "last", events: [] } as const;
  expect(await store.commit({ ...kept, changes: [{ on: "task_archived", archived }] })).toMatchObject({ ok: true });
}

async function fill(part: Part): Promise<void> {
  const { store, saver } = part;
  for (const id of ["one", "other"] as const) {
    const key = KEYS[id];
    const events = [started(), reported(), started(1)];
    const changes: Change[] = [
      { on: "task_created", task: aTask({ task_id: id, owner: null }) },
      { on: "sop_created", sop: aSop({ sop_id: key, target_signature: `host=${id}` }) },
      { on: "approval_created", approval: anApproval({ approval_id: key, thread_id: id }) },
      { on: "check_look", look: { kind: "red", digest: id, body: { exit_code: 1 }, looked_at: AT } },
      { on: "delivered", receiver: id, cursor: 7 },
      { on: "task_scored", score: aScore({ task_id: id, sop_id: KEYS.one }) },
      { on: "duty_done", name: id, cursor: 7 },
      { on: "schedule_created", schedule: aSchedule({ name: id }) },
      { on: "freeze_created", freeze: aFreeze({ freeze_id: FREEZES[id], reason: id }) },
    ];
    expect(await store.commit({ thread_id: id, after: null, events, changes })).toMatchObject({ ok: true });
    const checkpoint = { ...emptyCheckpoint(), channel_values: { plan: id }, channel_versions: { plan: 1 } };
    const metadata = { source: "loop" as const, step: 1, parents: {} };
    const put = await saver.put(config(id), checkpoint, metadata, { plan: 1 });
    await saver.putWrites(put, [["plan", "next"]], "node");
    await archive(part, id);
  }
}

function changed(value: Value, column: string): Value {
  if (value === null && NUMBERS.has(column)) return 1;
  if (value === null || value === "") return "x";
  if (typeof value === "number") return value + 1000;
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return value.replace(/[a-z0-9](?=[^a-z0-9]*$)/, (last) => (last === "1" ? "2" : "1"));
  const bytes = Uint8Array.from(value);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return bytes;
}

/** Null for what is refused as damaged, or as another server's. */
const orNull = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    (found) => found ?? null,
    (error) => {
      expect(["quarantined", "fenced"]).toContain(error.code);
      return null;
    },
  );

const SCHEMA = readFileSync(join(import.meta.dirname, "../../prisma/schema.prisma"), "utf8");
const TABLES = [...SCHEMA.matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => table);
const NUMBERS = new Set([...SCHEMA.matchAll(/^ +(\w+) +(?:Int|Float|Boolean)\b/gm)].map(([, column]) => column));

/** Changes each column in turn and puts it back. Resolves to those whose change is not noticed. */
async function unnoticed(part: Part, table: string, { where, read, list = async () => [] }: Subject) {
  const { database } = part;
  const set = (sql: string, args: Value[]) => runSql(database, `UPDATE ${table} SET ${sql}`, ...args);
  const rows = await sqlRows(database, `SELECT * FROM ${table} WHERE ${where}`);
  const [[row = {}] = []] = [rows as Record<string, Value>[]];
  const one = await read(part, "one");
  const other = await read(part, "other");
  const listed = await list(part);
  const found: string[] = [];
  for (const [column, value] of Object.entries(row)) {
    const other_value = changed(value, column);
    expect(await set(`${column} = ? WHERE ${where}`, [other_value])).toBe(1);
    if ((await orNull(read(part, "one"))) !== null) found.push(`${table}.${column}`);
    else for (const record of await list(part)) expect(listed).toContainEqual(record);
    expect(await read(part, "other")).toEqual(other);
    const moved = where.replace(new RegExp(`(?<=\\b${column} = )('.*?'|\\d+)`), () => `${literal(other_value)}`);
    expect(await set(`${column} = ? WHERE ${moved}`, [value])).toBe(1);
    expect(await read(part, "one")).toEqual(one);
  }
  return found;
}

const literal = (value: Value): string => (typeof value === "string" ? `'${value}'` : `${value}`);

export function rowSumSuite(create: () => Promise<string>): void {
  test("each table of the schema has a record here", () => {
    expect([...Object.keys(SUBJECTS), ...WITHOUT_SUM].sort()).toEqual([...TABLES].sort());
  });

  test.each(Object.entries(SUBJECTS))("a change on the disk of any column of %s is noticed", async (table, subject) => {
    const self = { name: "nas", labels: ["docker"] };
    const database = await openDatabase({ url: await create(), exclusive: true, self });
    const store = createStore({ database, clock: () => new Date(AT) });
    const part = { database, store, saver: new PrismaSaver(database) };
    await fill(part);
    const left_out = [...LEFT_OUT.keys()].filter((name) => name.startsWith(`${table}.`));
    const { are_many, owner } = database.servers;
    const looked = table === "server" && are_many ? ofServer(owner) : subject;
    expect((await unnoticed(part, table, looked)).sort()).toEqual(left_out.sort());
    await database.close();
  });
}
