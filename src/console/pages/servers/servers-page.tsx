// The servers: which live, what waits and why, what is frozen, and what orch submits by itself.
import { useState } from "react";
import { useOperation } from "../../live/use-operation.ts";
import { Loaded, Reading } from "../../parts/loaded.tsx";
import { useListKeys } from "../../parts/use-list-keys.ts";
import { useTitle } from "../../parts/use-title.ts";
import { Doctor } from "./doctor.tsx";
import { FreezeDialog } from "./freeze-dialog.tsx";
import { HeldTargets } from "./held-targets.tsx";
import { InForce } from "./in-force.tsx";
import { PastFreezes } from "./past-freezes.tsx";
import { Queue } from "./queue.tsx";
import { Schedules } from "./schedules.tsx";
import { ServerCards } from "./server-cards.tsx";

/** A lease is renewed each 10 s, and no event says so. */
const LOOK_MS = 10_000;

export function ServersPage() {
  useTitle("Servers");
  const [freezes, setFreezes] = useState(false);
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
      <Everything />
      {freezes && <FreezeDialog onClose={() => setFreezes(false)} />}
    </>
  );
}

/** Shown once all of it is known: what comes later would move what somebody reads already. */
function Everything() {
  const rows = useListKeys<HTMLDivElement>();
  const cluster = useOperation("list_servers", {}, { refetch_ms: LOOK_MS });
  const frozen = useOperation("list_freezes", { limit: 50 });
  const accepted = useOperation("list_tasks", { status: "accepted", limit: 50 });
  const schedules = useOperation("list_schedules", { limit: 100 });
  if ([cluster, frozen, accepted, schedules].some(({ isPending }) => isPending)) return <Reading />;
  return (
    <div className="stack servers" ref={rows}>
      <div id="frozen">
        <Loaded query={frozen}>{(data) => <InForce {...data} />}</Loaded>
      </div>
      <Loaded query={cluster}>
        {(found) => (
          <>
            <ServerCards servers={found.servers} />
            <Loaded query={accepted}>
              {({ tasks, next_after }) => <Queue tasks={tasks} more={next_after !== null} cluster={found} />}
            </Loaded>
            <HeldTargets {...found} />
          </>
        )}
      </Loaded>
      <Loaded query={schedules}>{(data) => <Schedules {...data} />}</Loaded>
      {frozen.data !== undefined && <PastFreezes freezes={frozen.data.freezes} />}
      <Doctor last_backup_at={cluster.data?.last_backup_at} />
    </div>
  );
}
