// Keeps the row of this server and reads those of the servers that share a PostgreSQL database (D-313). Each has a lease by the clock of
// the database, and every commit names its epoch (D-213). Who takes the tasks of a server over raises that epoch first, so that the other
// one writes nothing more.
import { hostname } from "node:os";
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import { parseJson } from "../domain/json-values.ts";
import { clockSkewMs, LEASE_MS, type OwnerState, type ServerSelf } from "../domain/server.ts";
import type { Clock, Servers } from "../ports.ts";
import { Holder, hasEnded, thisProcess } from "../process/holder.ts";
import type { Prisma, PrismaClient, Server as Row } from "./generated/sqlite/client.ts";
import { addSums, isWhole, NO_SUM, withSum } from "./rows.ts";
import { clockOf, lockWriters, type Session, serverIs } from "./sql.ts";

/** No task asks about a server that has stopped before that. */
const KEPT_DAYS = 7;

/** Its lease was over at that time, by the clock of the database. */
type Seen = { readonly row: Row; readonly is_lost: boolean };

export type Peer = {
  readonly servers: Servers;
  readonly condition: Prisma.Sql;
  /** Renews the lease. Null when another server has taken over, else whether this one was asked to drain. */
  readonly beat: () => Promise<{ readonly drains: boolean } | null>;
  /** Writes that the server has stopped: its successor has nothing to wait for. */
  readonly stop: () => Promise<void>;
};

/** The row is written, and the lease runs. A server of a version before, which had the database alone, writes nothing more. */
export async function join(client: PrismaClient, owner: string, self: ServerSelf): Promise<Peer> {
  await endExclusive(client);
  const { now, skew_ms: first_skew } = await askClock(client);
  await forgetStopped(client, now);
  let skew_ms = first_skew;
  const row = withSum({
    server_id: owner,
    epoch: 1,
    generation: 1,
    holder: holderOf(self),
    ...shownOf(self),
    started_at: now,
    stopped_at: null,
  });
  await client.server.create({ data: { ...row, skew_ms, ...leaseFrom(now) } });
  const mine = { server_id: owner, epoch: 1, row_sum: row.row_sum };
  const servers = await watched(client, owner, self);
  return {
    servers: { ...servers, aheadMs: () => skew_ms ?? 0 },
    condition: serverIs(mine),
    beat: async () => {
      const clock = await askClock(client);
      const [beaten] = await client.server.updateManyAndReturn({
        where: mine,
        data: { ...leaseFrom(clock.now), skew_ms },
        select: { drain_asked_at: true },
      });
      if (beaten === undefined) return null;
      skew_ms = clock.skew_ms ?? skew_ms;
      return { drains: beaten.drain_asked_at !== null };
    },
    stop: async () => {
      const { now: stopped_at } = await askClock(client);
      const { row_sum } = withSum({ ...row, stopped_at });
      await client.server.updateMany({ where: mine, data: { stopped_at, row_sum, lease_expires_at: null } });
    },
  };
}

const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

const leaseFrom = (now: string) => ({ seen_at: now, lease_expires_at: later(now, LEASE_MS) });

async function forgetStopped(client: PrismaClient, now: string): Promise<void> {
  const before = { lt: later(now, -KEPT_DAYS * 86_400_000) };
  const isOld = [{ stopped_at: before }, { stopped_at: null, lease_expires_at: before }];
  await client.server.deleteMany({ where: { OR: isOld } });
}

async function askClock(client: PrismaClient): Promise<{ now: string; skew_ms: number | null }> {
  const asked = Date.now();
  const now = await clockOf(client, "postgresql");
  return { now, skew_ms: skewOf(asked, now) };
}

/** An answer that took longer says too little of the clock. */
const PROMPT_MS = 1_000;
const MOST_SKEW_MS = 2 ** 31 - 1;

/** How far the clock of this machine is ahead; null where it is not known. */
function skewOf(asked: number, now: string): number | null {
  const answered = Date.now();
  if (answered - asked > PROMPT_MS) return null;
  return Math.max(-MOST_SKEW_MS, Math.min(MOST_SKEW_MS, clockSkewMs(asked, answered, { now })));
}

/** The row of a version that let no second server in. Its lock is not held: this server has it shared. */
async function endExclusive(client: PrismaClient): Promise<void> {
  const known = await client.server.findUnique({ where: { server_id: SERVER_ID } });
  if (known !== null && known.stopped_at !== null && known.row_sum !== NO_SUM) return;
  const row = await takeOver(client, { first: lockWriters });
  await row.stop();
}

const Kept = Holder.extend({ data_dir: z.string().nullable().default(null) });

const holderOf = ({ data_dir }: ServerSelf): string => JSON.stringify({ ...thisProcess(), data_dir: data_dir ?? null });

async function watched(client: PrismaClient, owner: string, self: ServerSelf): Promise<Omit<Servers, "aheadMs">> {
  let seen = new Map<string, Seen>();
  const look = async (): Promise<void> => {
    const now = await clockOf(client, "postgresql");
    const rows = await client.server.findMany();
    seen = new Map(rows.map((row) => [row.server_id, { row, is_lost: isLost(row, now) }]));
  };
  await look();
  // At its start a server looks for what those have left running that had its data directory before.
  const before = new Set([...seen].flatMap(([id, { row }]) => (hadPlaceOf(self)(row) ? [id] : [])));
  return {
    owner,
    are_many: true,
    look,
    stateOf: ({ owner: other }) => (other === null || other === owner ? OVER : stateIn(seen.get(other), before)),
    takeOver: (other) => (other === owner ? Promise.resolve(true) : fence(client, other)),
  };
}

const isLost = ({ stopped_at, lease_expires_at }: Row, now: string): boolean =>
  stopped_at === null && (lease_expires_at === null || lease_expires_at <= now);

const OVER: OwnerState = { lives: false, may_have_crashed: false, is_over: true };
const UNKNOWN: OwnerState = { lives: false, may_have_crashed: true, is_over: false };

function stateIn(found: Seen | undefined, before: ReadonlySet<string>): OwnerState {
  if (found === undefined) return UNKNOWN;
  const { row, is_lost } = found;
  const { server_id, stopped_at, epoch } = row;
  const isStopped = stopped_at !== null && epoch === 1;
  return {
    lives: stopped_at === null && !is_lost && !hasEndedHere(row),
    may_have_crashed: !isStopped,
    is_over: isStopped || before.has(server_id),
  };
}

/** Certain only of a process of this machine. */
function hasEndedHere({ holder, stopped_at }: Row): boolean {
  const { data } = Holder.safeParse(parseJson(holder));
  return stopped_at === null && data?.host === hostname() && hasEnded(data);
}

const hadPlaceOf =
  ({ data_dir }: ServerSelf) =>
  (row: Row): boolean =>
    data_dir !== undefined && hasEndedHere(row) && Kept.safeParse(parseJson(row.holder)).data?.data_dir === data_dir;

async function fence(client: PrismaClient, server_id: string): Promise<boolean> {
  const now = await clockOf(client, "postgresql");
  const row = await client.server.findUnique({ where: { server_id } });
  if (row === null || row.stopped_at !== null) return true;
  const is_lost = isLost(row, now);
  if (!is_lost && !hasEndedHere(row)) return false;
  const { row_sum, seen_at: stopped_at } = row;
  const fenced = withSum({ ...row, epoch: row.epoch + 1, stopped_at });
  const { count } = await client.server.updateMany({
    where: {
      server_id,
      row_sum,
      ...(is_lost && { OR: [{ lease_expires_at: null }, { lease_expires_at: { lte: now } }] }),
    },
    // A damaged row is no reason to leave its tasks alone.
    data: { epoch: { increment: 1 }, stopped_at, row_sum: isWhole(row) ? fenced.row_sum : row_sum },
  });
  if (count > 0) return true;
  const after = await client.server.findUnique({ where: { server_id } });
  return after === null || after.stopped_at !== null;
}

// What a server knows of the one that had a SQLite file before it: there is no other beside it.

type Deps = {
  readonly owner: string;
  readonly predecessor: Predecessor;
  /** The host and pid of the server before, as its owner's name begins; null when it is not known. */
  readonly predecessor_process: string | null;
  readonly clock: Clock;
};

/** The lease that is written is the lease that is read (D-221): only a server before that may live has its tasks until it is over. */
export function alone({ owner, predecessor, predecessor_process, clock }: Deps): Servers {
  const stateOf: Servers["stateOf"] = ({ owner: other, lease_expires_at }): OwnerState => {
    if (other === null || other === owner) return OVER;
    const mayLive = predecessor === "may_live";
    // Of a server before the last one it is not known.
    const isLast = predecessor_process !== null && other.startsWith(`${predecessor_process}/`);
    return {
      lives: mayLive && lease_expires_at !== null && lease_expires_at > clock().toISOString(),
      may_have_crashed: predecessor === "ended" || mayLive,
      is_over: isLast && (predecessor === "ended" || predecessor === "stopped"),
    };
  };
  return {
    owner,
    are_many: false,
    stateOf,
    aheadMs: () => 0,
    look: async () => undefined,
    takeOver: async () => true,
  };
}

// The row of this server. Opening the database raises its epoch, and every commit names the epoch in its own statement
// (D-213): a server that was replaced writes nothing more, also where its lock was lost.

/** Whether there was a server before, and what became of it: `ended` is a crash, and `may_live` may be one. */
export type Predecessor = "none" | "stopped" | "ended" | "may_live";

type ServerRow = {
  readonly predecessor: Predecessor;
  /** Its host and pid; null when it is not known. */
  readonly predecessor_process: string | null;
  /** Holds while this server owns the database. */
  readonly condition: Prisma.Sql;
  /** Writes that the server lives. False when another one has taken over. */
  readonly beat: () => Promise<boolean>;
  /** Writes that the server has stopped: its successor has nothing to wait for. */
  readonly stop: () => Promise<void>;
};

/** Of the one server of a SQLite file. On PostgreSQL each server has a row of its own (peers.ts), and this one is of the versions before. */
export const SERVER_ID = "orch";
const DAMAGED = "damaged" as const;

const OwnHolder = Holder.extend({ lock: Holder.shape.boot_id });

type Taking = {
  /** Identifies the lock that is held now. */
  readonly lock?: string | null;
  /** What the transaction begins with. */
  readonly first?: (session: Session) => Promise<void>;
  readonly self?: ServerSelf;
};

export async function takeOver(
  client: PrismaClient,
  { lock = null, first = async () => undefined, self }: Taking,
): Promise<ServerRow> {
  const server_id = SERVER_ID;
  const at = new Date().toISOString();
  const holder = JSON.stringify({ ...thisProcess(), lock } satisfies z.infer<typeof OwnHolder>);
  const shown = shownOf(self);
  const known = await client.server.findUnique({ where: { server_id }, select: { row_sum: true } });
  if (known?.row_sum === NO_SUM) await addSums(client);
  const { before, row } = await client.$transaction(async (session) => {
    await first(session);
    const found = await session.server.findUnique({ where: { server_id } });
    const before = found === null || isWhole(found) ? found : DAMAGED;
    const { epoch, generation } = before === DAMAGED || before === null ? { epoch: 0, generation: 1 } : before;
    const row = withSum({
      server_id,
      epoch: epoch + 1,
      generation,
      holder,
      started_at: at,
      stopped_at: null,
      ...shown,
    });
    const written = { ...row, seen_at: at, drain_asked_at: null };
    await session.server.upsert({ where: { server_id }, create: written, update: written });
    return { before, row };
  });
  const { epoch, row_sum } = row;
  // The sum is of this start alone: the epoch of a damaged row may have been any.
  const mine = { server_id, epoch, row_sum };
  return {
    predecessor: before === null ? "none" : whatBecameOf(before, lock),
    predecessor_process: before === null || before === DAMAGED ? null : processIn(before),
    condition: serverIs(mine),
    beat: async () =>
      (await client.server.updateMany({ where: mine, data: { seen_at: new Date().toISOString() } })).count > 0,
    stop: async () => {
      const stopped_at = new Date().toISOString();
      await client.server.updateMany({
        where: mine,
        data: { stopped_at, row_sum: withSum({ ...row, stopped_at }).row_sum },
      });
    },
  };
}

/** What others see of a server, in columns. */
function shownOf(self: ServerSelf | undefined) {
  if (self === undefined) return { name: null, labels: null };
  const { data_dir: _not_shown, labels, ...shown } = self;
  return { ...shown, labels: JSON.stringify(labels) };
}

type Before = { readonly holder: string; readonly stopped_at: string | null };

function whatBecameOf(before: Before | typeof DAMAGED, lock: string | null): Predecessor {
  if (before === DAMAGED) return "may_live";
  const { holder, stopped_at } = before;
  const known = OwnHolder.safeParse(parseJson(holder));
  const gone = known.success && ((lock !== null && known.data.lock === lock) || hasEnded(known.data));
  if (stopped_at !== null) return "stopped";
  return gone ? "ended" : "may_live";
}

function processIn({ holder }: Before): string | null {
  const { data } = OwnHolder.safeParse(parseJson(holder));
  return data === undefined ? null : `${data.host}/${data.pid}`;
}

export const taken = (): OrchError =>
  new OrchError("fenced", "another orch server has taken over from this one, which writes nothing more");
