// Where what the steps of a task write can be read, when another server runs it: by its row (D-395). No answer and no log has the secret.
import type { FindOutputRoute, OutputRoute } from "../domain/live-output.ts";
import type { Database } from "./database.ts";
import { guarded } from "./fault.ts";
import { outputRoute } from "./sql.ts";

export const outputRoutes = ({ connection, servers: { owner, are_many } }: Database): FindOutputRoute =>
  guarded(async (task_id) => {
    if (!are_many) return null;
    const [route] = await connection.rows<OutputRoute>(outputRoute(task_id, owner));
    return route ?? null;
  });
