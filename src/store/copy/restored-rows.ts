// What a restore changes beside journals: the servers of the past and what they held are gone, and no cursor is given a second time.
import { BACKUP_DUTY } from "../../domain/backup.ts";
import type { Database } from "../database.ts";
import { usable } from "../database-errors.ts";
import { type Duty, Prisma } from "../generated/sqlite/client.ts";
import { SERVER_ID } from "../peers.ts";
import { isWhole, withSum } from "../rows.ts";
import * as statements from "../sql.ts";
import type { Ask } from "./heads.ts";

/** A reader that was further than the backup still gets everything that comes now. */
const CURSOR_GAP = 1_000_000;

/** Before any event is written: the new ones come after all that the past may have shown to readers. */
export const raiseCursor = ({ provider, transaction }: Database): Promise<void> =>
  usable(
    transaction(async (session) => {
      const { _max } = await session.journalEvent.aggregate({ _max: { cursor: true } });
      await statements.raiseCursor(session, provider, (_max.cursor ?? 0) + CURSOR_GAP);
    }),
  );

/** After the tasks are settled. `freed`: those that keep no target. Only a task that asks in the middle of its steps keeps its own. */
export const forgetServers = ({ provider, transaction }: Database, freed: readonly string[]): Promise<void> =>
  usable(
    transaction(async ({ task, targetHold, server }) => {
      const held = (await targetHold.findMany()).map(({ task_id }) => task_id);
      const where = { task_id: { in: held }, status: { in: ["need_input", "need_approval"] } };
      const asking = (await task.findMany({ where, select: { task_id: true } })).map(({ task_id }) => task_id);
      const kept = asking.filter((task_id) => !freed.includes(task_id));
      await targetHold.deleteMany({ where: { task_id: { notIn: kept } } });
      if (provider === "postgresql") await server.deleteMany();
      else await stopServer(server);
    }),
  );

/** The next server finds one that was stopped, of an earlier generation (D-213). */
async function stopServer(server: statements.Session["server"]): Promise<void> {
  const where = { server_id: SERVER_ID };
  const row = await server.findUnique({ where });
  if (row === null) return;
  const set = { epoch: row.epoch + 1, generation: row.generation + 1, stopped_at: new Date().toISOString() };
  const { row_sum } = isWhole(row) ? withSum({ ...row, ...set }) : row;
  await server.update({ where, data: { ...set, row_sum } });
}

/** The time of the last backup is kept as how far that duty has come, so that every version that has duties can show it. */
export async function noteBackup(ask: Ask, taken_at: string): Promise<void> {
  const { sql } = Prisma;
  const cursor = Math.floor(Date.parse(taken_at) / 1_000);
  const [known] = await ask<Duty>(sql`SELECT name, cursor, row_sum FROM duty WHERE name = ${BACKUP_DUTY}`);
  if (known !== undefined && isWhole(known) && known.cursor >= cursor) return;
  const { row_sum } = withSum({ name: BACKUP_DUTY, cursor });
  await ask(sql`INSERT INTO duty (name, cursor, row_sum) VALUES (${BACKUP_DUTY}, ${cursor}, ${row_sum})
    ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor, row_sum = excluded.row_sum RETURNING name`);
}
