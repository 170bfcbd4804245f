// The servers that are alive, by the clock of the database: those that have not stopped, and whose lease lasts. The one server of a
// SQLite file has no lease.
import { jsonOrText } from "../domain/json-values.ts";
import { Server } from "../domain/server.ts";
import type { Store } from "../ports.ts";
import type { Database } from "./database.ts";
import { guarded } from "./fault.ts";
import { aliveServers } from "./sql.ts";

type AliveRow = Pick<Server, "server_id" | "name"> & {
  readonly labels: string | null;
  readonly drain_asked_at: string | null;
};

export const readServers = ({ connection, provider }: Database): Pick<Store, "listServers"> => ({
  listServers: guarded(async () => (await connection.rows<AliveRow>(aliveServers(provider))).flatMap(serverOf)),
});

/** A server whose row cannot be read serves nothing that others know of. */
function serverOf({ server_id, name, labels, drain_asked_at }: AliveRow): Server[] {
  const given = { server_id, name, labels: jsonOrText(labels ?? "[]"), draining: drain_asked_at !== null };
  const { data } = Server.safeParse(given);
  return data === undefined ? [] : [data];
}
