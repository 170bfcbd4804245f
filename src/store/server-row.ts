// The row of this server. Opening the database raises its epoch, and every commit names the epoch in its own statement
// (D-213): a server that was replaced writes nothing more, also where its lock was lost.
import type { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import { parseJson } from "../domain/json-values.ts";
import type { ServerSelf } from "../domain/server.ts";
import { Holder, hasEnded, thisProcess } from "../process/holder.ts";
import type { PrismaClient } from "./generated/sqlite/client.ts";
import { addSums, isWhole, NO_SUM, withSum } from "./row-sum.ts";
import type { Statement } from "./sql.ts";
import type { Sql } from "./sql-connection.ts";

/** Whether there was a server before, and what became of it: `ended` is a crash, and `may_live` may be one. */
export type Predecessor = "none" | "stopped" | "ended" | "may_live";

type ServerRow = {
  readonly predecessor: Predecessor;
  /** Its host and pid; null when it is not known. */
  readonly predecessor_process: string | null;
  /** Holds while this server owns the database. */
  readonly condition: Statement;
  /** Whether this server still owns the database, asked within the transaction. */
  readonly holds: (sql: Sql) => Promise<boolean>;
  /** Writes that the server lives. False when another one has taken over. */
  readonly beat: () => Promise<boolean>;
  /** Writes that the server has stopped: its successor has nothing to wait for. */
  readonly stop: () => Promise<void>;
};

/** Of the one server of a SQLite file. On PostgreSQL each server has a row of its own (peers.ts), and this one is of the versions before. */
export const SERVER_ID = "orch";
const DAMAGED = "damaged" as const;

const Kept = Holder.extend({ lock: Holder.shape.boot_id });

type Taking = {
  /** Identifies the lock that is held now. */
  readonly lock?: string | null;
  /** Statements to begin the transaction with. */
  readonly first?: readonly string[];
  readonly self?: ServerSelf;
};

export async function takeOver(client: PrismaClient, { lock = null, first = [], self }: Taking): Promise<ServerRow> {
  const server_id = SERVER_ID;
  const at = new Date().toISOString();
  const holder = JSON.stringify({ ...thisProcess(), lock } satisfies z.infer<typeof Kept>);
  const shown = shownOf(self);
  const known = await client.server.findUnique({ where: { server_id }, select: { row_sum: true } });
  if (known?.row_sum === NO_SUM) await addSums(client);
  const { before, row } = await client.$transaction(async (session) => {
    for (const sql of first) await session.$executeRawUnsafe(sql);
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
  const condition = {
    sql: "(SELECT 1 FROM server WHERE server_id = ? AND epoch = ? AND row_sum = ?) IS NOT NULL",
    args: [server_id, epoch, row_sum],
  };
  return {
    predecessor: before === null ? "none" : whatBecameOf(before, lock),
    predecessor_process: before === null || before === DAMAGED ? null : processIn(before),
    condition,
    holds: holdsIn(condition),
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

/** Asks for a condition alone. */
export const holdsIn =
  ({ sql: condition, args }: Statement) =>
  async (sql: Sql): Promise<boolean> =>
    (await sql.rows({ sql: `SELECT 1 AS held WHERE ${condition}`, args })).length > 0;

/** What others see of a server, in columns. */
export function shownOf(self: ServerSelf | undefined) {
  if (self === undefined) return { name: null, labels: null };
  const { data_dir: _not_shown, labels, ...shown } = self;
  return { ...shown, labels: JSON.stringify(labels) };
}

type Before = { readonly holder: string; readonly stopped_at: string | null };

function whatBecameOf(before: Before | typeof DAMAGED, lock: string | null): Predecessor {
  if (before === DAMAGED) return "may_live";
  const { holder, stopped_at } = before;
  const known = Kept.safeParse(parseJson(holder));
  const gone = known.success && ((lock !== null && known.data.lock === lock) || hasEnded(known.data));
  if (stopped_at !== null) return "stopped";
  return gone ? "ended" : "may_live";
}

function processIn({ holder }: Before): string | null {
  const { data } = Kept.safeParse(parseJson(holder));
  return data === undefined ? null : `${data.host}/${data.pid}`;
}

export const taken = (): OrchError =>
  new OrchError("fenced", "another orch server has taken over from this one, which writes nothing more");
