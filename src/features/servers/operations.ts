// The servers that share the database, as one of them sees them, and how one is asked to drain (D-326, D-327).

import type { OperationDeps } from "../../api/operations/deps.ts";
import type { HandlersOf, OperationHandler } from "../../api/operations/operation.ts";
import { BACKUP_DUTY, backupTimeOf } from "../../domain/backup.ts";
import { OrchError } from "../../domain/errors.ts";
import { clockSkew, currentServers, type ServerDetails, serversNamed } from "../../domain/server.ts";
import type * as shapes from "./shapes.ts";

const handleListServers: OperationHandler<typeof shapes.listServers> =
  ({ store, clock, queueDepth }) =>
  async ({ all }) => {
    const asked = clock().getTime();
    const { servers, held, unread, waiting, now } = await store.describeServers();
    const clock_skew_seconds = clockSkew(asked, clock().getTime(), { now });
    return {
      servers: all ? [...servers] : currentServers(servers),
      clock_skew_seconds,
      waiting,
      queue: await queueDepth(),
      last_backup_at: backupTimeOf(await store.findDuty(BACKUP_DUTY)),
      held: [...held],
      unread: [...unread],
    };
  };

const handleGetServer: OperationHandler<typeof shapes.getServer> =
  (deps) =>
  async ({ name }) => ({ server: await serverOf(deps, name) });

const handleDrainServer: OperationHandler<typeof shapes.drainServer> =
  (deps) =>
  async ({ name }) => {
    const { server_id, this: is_this } = await serverOf(deps, name);
    await deps.store.askToDrain(server_id);
    const server = await serverOf(deps, server_id);
    if (is_this) deps.onDrain();
    return { server };
  };

async function serverOf({ store }: Pick<OperationDeps, "store">, name: string): Promise<ServerDetails> {
  const { servers } = await store.describeServers();
  const [server, ...more] = serversNamed(servers, name);
  if (server !== undefined && more.length === 0) return server;
  if (server === undefined) {
    const names = [...new Set(currentServers(servers).map((one) => one.name))].join(", ");
    throw new OrchError("server_not_found", `There is no server ${JSON.stringify(name)}. There are: ${names}.`);
  }
  const processes = [server, ...more].map((one) => one.process ?? one.server_id).join(", ");
  throw new OrchError("server_ambiguous", `Several servers have the name ${name}; name one of: ${processes}.`);
}

export const SERVER_HANDLERS: HandlersOf<typeof shapes.SERVER_SHAPES> = {
  list_servers: handleListServers,
  get_server: handleGetServer,
  drain_server: handleDrainServer,
};
