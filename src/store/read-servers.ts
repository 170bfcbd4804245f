// The servers of a database by their rows, and by its clock. Alive are those that have not stopped and whose lease lasts; the one server of
// a SQLite file has no lease. Any server may ask another one to drain: that is no part of a journal, and not of the sum of the row (D-326).
import { announced } from "../domain/change.ts";
import { JOURNAL_LEVEL } from "../domain/journal.ts";
import { jsonOrText, parseJson } from "../domain/json-values.ts";
import type { FindOutputRoute, OutputRoute } from "../domain/live-output.ts";
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
import type { Server as Row } from "./generated/sqlite/client.ts";
import { SERVER_ID } from "./peers.ts";
import {
  aliveServers,
  announce,
  askedToDrain,
  guarded,
  heldTargets,
  outputRoute,
  ownedTasks,
  type Provider,
  serverRows,
  unreadTasks,
  waitingTasks,
} from "./sql.ts";

type AliveRow = Pick<Server, "server_id" | "name" | "journal_level"> & {
  readonly labels: string | null;
  readonly drain_asked_at: string | null;
};

export const readServers = ({
  connection,
  provider,
  servers: { owner, are_many },
}: Database): Pick<Store, "listServers" | "describeServers" | "askToDrain"> => ({
  listServers: guarded(async () => (await connection.rows<AliveRow>(aliveServers(provider))).flatMap(serverOf)),
  describeServers: guarded(async () => {
    const rows = await connection.rows<Row & { readonly now: string }>(serverRows(provider));
    const counts = await connection.rows<{ readonly owner: string; readonly count: number }>(ownedTasks);
    const now = rows[0]?.now ?? new Date().toISOString();
    const running = new Map(counts.map((one) => [one.owner, Number(one.count)]));
    const held = are_many ? await connection.rows<Omit<HeldTarget, "held_seconds">>(heldTargets) : [];
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
      unread: await connection.rows<UnreadTask>(unreadTasks(lowestLevel(servers))),
      waiting: waitingOf(await connection.rows<WaitingRow>(waitingTasks), now),
      held: held.map((one) => ({ ...one, held_seconds: secondsBetween(one.since, now) })),
    };
  }),
  askToDrain: guarded(async (server_id) => {
    const asked = await connection.run(askedToDrain(provider, server_id));
    if (asked > 0 && are_many)
      await connection.rows(announce(announced({ from: owner, kinds: ["drain"], thread_id: server_id })));
  }),
});

/** A server whose row cannot be read serves nothing that others know of. */
function serverOf({ labels, drain_asked_at, ...row }: AliveRow): Server[] {
  const given = { ...row, labels: jsonOrText(labels ?? "[]"), draining: drain_asked_at !== null };
  const { data } = Server.safeParse(given);
  return data === undefined ? [] : [data];
}

type WaitingRow = { readonly tasks: number; readonly since: string | null };

const waitingOf = ([row]: readonly WaitingRow[], now: string): Cluster["waiting"] => {
  const since = row?.since ?? null;
  return { tasks: Number(row?.tasks ?? 0), oldest_seconds: since === null ? null : secondsBetween(since, now) };
};

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

export const outputRoutes = ({ connection, servers: { owner, are_many } }: Database): FindOutputRoute =>
  guarded(async (task_id) => {
    if (!are_many) return null;
    const [route] = await connection.rows<OutputRoute>(outputRoute(task_id, owner));
    return route ?? null;
  });
