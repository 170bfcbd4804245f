// The servers: which live, what waits and why, what is frozen, and what orch submits by itself.
import { useState } from "react";
import { useOperation } from "../../live/use-operation.ts";
import type { Answer } from "../../operations.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { Doctor } from "./doctor.tsx";
import { FreezeDialog } from "./freeze-dialog.tsx";
import { HeldTargets } from "./held-targets.tsx";
import { InForce } from "./in-force.tsx";
import { PastFreezes } from "./past-freezes.tsx";
import { Queue } from "./queue.tsx";
import { Schedules } from "./schedules.tsx";
import { ServerCard } from "./server-card.tsx";

/** A lease is renewed each 10 s, and no event says so. */
const LOOK_MS = 10_000;

export function ServersPage() {
  useTitle("Servers");
  const [freezes, setFreezes] = useState(false);
  const cluster = useOperation("list_servers", {}, { refetch_ms: LOOK_MS });
  const frozen = useOperation("list_freezes", { limit: 50 });
  return (
    <>
      <header className="page-head">
        <h1>Servers</h1>
        <div className="actions">
          <button type="button" className="button" onClick={() => setFreezes(true)}>
            Freeze …
          </button>
        </div>
      </header>
      <div className="stack servers">
        <Loaded query={frozen}>{(data) => <InForce {...data} />}</Loaded>
        <Loaded query={cluster}>{(data) => <Cluster {...data} />}</Loaded>
        <Schedules />
        {frozen.data !== undefined && <PastFreezes freezes={frozen.data.freezes} />}
        <Doctor />
      </div>
      <FreezeDialog open={freezes} onClose={() => setFreezes(false)} />
    </>
  );
}

function Cluster(cluster: Answer<"list_servers">) {
  const { servers } = cluster;
  const accepted = useOperation("list_tasks", { status: "accepted", limit: 50 });
  const live = servers.filter(({ state }) => state === "alive");
  return (
    <>
      <ul className="server-cards" aria-label="Servers">
        {servers.map((server) => (
          <ServerCard key={server.server_id} server={server} is_alone={live.length === 1} />
        ))}
      </ul>
      <Loaded query={accepted}>
        {({ tasks, next_after }) => <Queue tasks={tasks} more={next_after !== null} cluster={cluster} />}
      </Loaded>
      <HeldTargets {...cluster} />
    </>
  );
}
