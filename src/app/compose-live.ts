// What the steps of tasks write, on this server and, where several share the database, on the one that runs a task (D-395).
import type { LiveOutput } from "../domain/live-output.ts";
import type { Log } from "../log/log.ts";
import { createPeerOutput } from "../peer-output/peer-output.ts";
import type { Database } from "../store/database.ts";
import { outputRoutes } from "../store/read-servers.ts";

export function composeLive(database: Database, here: LiveOutput, log: Log): LiveOutput {
  if (!database.servers.are_many) return here;
  const onFault = (fault: object) =>
    log.warn(
      { code: "live_output_unreachable", ...fault },
      "what steps write on another server cannot be read: only their journals are shown",
    );
  return both(here, createPeerOutput({ routeOf: outputRoutes(database), onFault }));
}

/** A task that goes to another server is read on. */
const both = (here: LiveOutput, elsewhere: LiveOutput): LiveOutput => ({
  watch: (task_id, onMore) => {
    const readers = [here, elsewhere].map(({ watch }) => watch(task_id, onMore));
    return {
      read: () => readers.flatMap(({ read }) => read()),
      close: () => {
        for (const { close } of readers) close();
      },
    };
  },
});
