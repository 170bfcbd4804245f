// The servers of a database by their rows, and by its clock. Alive are those that have not stopped and whose lease lasts; the one server of
// a SQLite file has no lease. Any server may ask another one to drain: that is no part of a journal, and not of the sum of the row (D-326).
import { announced } from "../domain/change.ts";
import { JOURNAL_LEVEL } from "../domain/journal.ts";
import { jsonOrText, parseJson } from "../domain/json-values.ts";
import type { FindOutputRoute } from "../domain/live-output.ts";
import {
  type Cluster,
  type HeldTarget,
  Server,
  ServerDetails,
  type ServerState,
  type UnreadTask,
} from "../domain/server.ts";
import type { Store } from "../ports.ts";
import { Holder } from "../process/holder.ts";
import type { Database } from "./database.ts";
import { guarded } from "./database-errors.ts";
import type { Server as Row } from "./generated/sqlite/client.ts";
import { SERVER_ID } from "./peers.ts";
import { announce, clockOf, type Provider, type Session } from "./sql.ts";

const LIVE = ["accepted", "running"];
const UNENDED = [...LIVE, "need_input", "need_approval"];
const MOST_HELD = 20;
const MOST_UNREAD = 20;

export const readServers = ({
  client,
  provider,
  servers: { owner, are_many },
}: Database): Pick<Store, "listServers" | "describeServers" | "askToDrain"> => {
  const { server, task } = client;
  return {
    listServers: guarded(async () => {
      const now = await clockOf(client, provider);
      const rows = await server.findMany({ where: isAlive(now), orderBy: { server_id: "asc" } });
      return inOrder(rows).flatMap(serverOf);
    }),
    describeServers: guarded(async () => {
      const now = await clockOf(client, provider);
      const owned = { status: { in: LIVE }, owner: { not: null } };
      const counts = await task.groupBy({ by: ["owner"], where: owned, _count: true });
      const running = new Map(counts.map((one) => [one.owner, one._count]));
      const rows = inOrder(await server.findMany({ orderBy: { started_at: "asc" } }));
      const servers = rows
        // On PostgreSQL this row is of a version that had the database alone.
        .filter(({ server_id }) => provider === "sqlite" || server_id !== SERVER_ID)
        .flatMap((row) => {
          const own = row.server_id === (provider === "sqlite" ? SERVER_ID : owner);
          return detailsOf(row, { now, provider, own, running: running.get(own ? owner : row.server_id) ?? 0 });
        });
      return {
        now,
        servers,
        unread: await unreadTasks(client, lowestLevel(servers)),
        waiting: await waitingTasks(client, now),
        held: are_many ? await heldTargets(client, now) : [],
      };
    }),
    askToDrain: guarded(async (server_id) => {
      const drain_asked_at = await clockOf(client, provider);
      const where = { server_id, drain_asked_at: null, stopped_at: null };
      const { count } = await server.updateMany({ where, data: { drain_asked_at } });
      if (count > 0 && are_many)
        await announce(client, announced({ from: owner, kinds: ["drain"], thread_id: server_id }));
    }),
  };
};

const isAlive = (now: string) => ({
  stopped_at: null,
  OR: [{ lease_expires_at: null }, { lease_expires_at: { gt: now } }],
});

/** By name; those of one name stay as they are. */
const inOrder = (rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => Number(nameOf(one) > nameOf(other)) - Number(nameOf(one) < nameOf(other)));

const nameOf = ({ name, server_id }: Pick<Row, "name" | "server_id">): string => name ?? server_id;

/** A server whose row cannot be read serves nothing that others know of. */
function serverOf(row: Row): Server[] {
  const { server_id, labels, drain_asked_at, journal_level } = row;
  const { data } = Server.safeParse({
    server_id,
    name: nameOf(row),
    labels: jsonOrText(labels ?? "[]"),
    draining: drain_asked_at !== null,
    journal_level,
  });
  return data === undefined ? [] : [data];
}

/** Those of tasks that have not ended, the oldest first. */
async function unreadTasks({ task }: Session, level: number): Promise<UnreadTask[]> {
  const rows = await task.findMany({
    where: { status: { in: UNENDED }, needs_level: { gt: level } },
    orderBy: [{ created_at: "asc" }, { task_id: "asc" }],
    take: MOST_UNREAD,
    select: { task_id: true, status: true, needs_level: true },
  });
  return rows.map(({ needs_level, ...row }) => ({ ...row, needs_level: needs_level ?? 0 }));
}

/** A task that was answered waits since its answer. */
async function waitingTasks({ task }: Session, now: string): Promise<Cluster["waiting"]> {
  const where = { status: { in: LIVE }, owner: null };
  const { _count: tasks, _min } = await task.aggregate({ where, _count: true, _min: { updated_at: true } });
  return { tasks, oldest_seconds: _min.updated_at === null ? null : secondsBetween(_min.updated_at, now) };
}

/** Those that have been held for longest. */
async function heldTargets({ targetHold, task }: Session, now: string): Promise<HeldTarget[]> {
  const holds = await targetHold.findMany({ orderBy: [{ since: "asc" }, { task_id: "asc" }], take: MOST_HELD });
  const ids = holds.map(({ task_id }) => task_id);
  const tasks = await task.findMany({
    where: { task_id: { in: ids } },
    select: { task_id: true, status: true, owner: true },
  });
  return holds.map(({ target_signature, task_id, since }) => {
    const found = tasks.find((one) => one.task_id === task_id);
    return {
      target_signature,
      task_id,
      status: found?.status ?? null,
      since,
      server_id: found?.owner ?? null,
      held_seconds: secondsBetween(since, now),
    };
  });
}

/** Of the live servers. */
const lowestLevel = (servers: readonly ServerDetails[]): number =>
  Math.min(
    JOURNAL_LEVEL,
    ...servers.flatMap(({ state, journal_level }) => (state === "alive" ? [journal_level ?? 0] : [])),
  );

type Seen = {
  readonly now: string;
  readonly provider: Provider;
  readonly own: boolean;
  readonly running: number;
};

function detailsOf(row: Row, { now, provider, own, running }: Seen): ServerDetails[] {
  const { server_id, version, journal_level, concurrency, started_at, seen_at } = row;
  const { data: holder } = Holder.safeParse(parseJson(row.holder));
  const { data } = ServerDetails.safeParse({
    server_id,
    version,
    journal_level,
    concurrency,
    running,
    started_at,
    seen_at,
    name: row.name ?? holder?.host ?? server_id,
    process: holder === undefined ? null : `${holder.host}/${holder.pid}`,
    url: row.url,
    labels: jsonOrText(row.labels ?? "[]"),
    state: stateOf(row, { now, provider }),
    lease_age_seconds: row.stopped_at === null ? secondsBetween(seen_at, now) : null,
    clock_skew_seconds: row.skew_ms === null ? null : Math.round(row.skew_ms / 100) / 10 + 0,
    windows_digest: row.windows_digest,
    this: own,
  });
  return data === undefined ? [] : [data];
}

/** On PostgreSQL the epoch of a server is raised by the one that takes its tasks. */
function stateOf(row: Row, { now, provider }: Pick<Seen, "now" | "provider">): ServerState {
  const { stopped_at, lease_expires_at, epoch, drain_asked_at } = row;
  const is_shared = provider === "postgresql";
  if (stopped_at !== null) return is_shared && epoch > 1 ? "lost" : "stopped";
  if (is_shared && (lease_expires_at === null || lease_expires_at <= now)) return "lost";
  return drain_asked_at === null ? "alive" : "draining";
}

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 100) / 10);

// Where what the steps of a task write can be read, when another server runs it: by its row (D-395). No answer and no log has the secret.

export const outputRoutes = ({ client, servers: { owner, are_many } }: Database): FindOutputRoute =>
  guarded(async (task_id) => {
    if (!are_many) return null;
    const task = await client.task.findUnique({ where: { task_id }, select: { status: true, owner: true } });
    if (task?.status !== "running" || task.owner === null || task.owner === owner) return null;
    const now = await clockOf(client, "postgresql");
    const where = { server_id: task.owner, stopped_at: null, lease_expires_at: { gt: now } };
    const found = await client.server.findFirst({ where });
    if (found === null || found.url === null || found.output_secret === null) return null;
    return { server_id: found.server_id, name: nameOf(found), url: found.url, secret: found.output_secret };
  });
