// Shows the servers: which live, which tasks wait and why, which have held a target for long, what is frozen, and what orch
// submits by itself.
import { useState } from "react";
import { printable } from "../../../domain/printable.ts";
import { useAction, useOperation } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { InlineCode, TaskLink } from "../../parts/code.tsx";
import { ActionDialog } from "../../parts/dialog.tsx";
import { useTitle } from "../../parts/hooks.ts";
import { Loaded, Reading } from "../../parts/loaded.tsx";
import { Notice } from "../../parts/notice.tsx";
import { count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { ROW, useListKeys } from "../../parts/use-keys.ts";
import { Doctor } from "./doctor.tsx";
import { type ShownFreeze, scopeOf } from "./freeze-scope.ts";
import { FreezeDialog } from "./freezes.tsx";
import { Schedules } from "./schedules.tsx";
import { ServerCard, type ShownServer } from "./server-card.tsx";

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

// The servers, each as a card.

function ServerCards({ servers }: { readonly servers: readonly ShownServer[] }) {
  const live = servers.filter(({ state }) => state === "alive");
  return (
    <ul className="server-cards" aria-label="Servers">
      {servers.map((server) => (
        <ServerCard key={server.server_id} server={server} is_alone={live.length === 1} />
      ))}
    </ul>
  );
}

// Freezes that were thawed: what was held, why, and by whom.

function PastFreezes({ freezes }: { readonly freezes: readonly ShownFreeze[] }) {
  const past = freezes.filter(({ thawed_at }) => thawed_at !== null);
  if (past.length === 0) return null;
  return (
    <details className="past-freezes">
      <summary>Freezes that were thawed ({past.length})</summary>
      <ul className="list">
        {past.map(({ freeze_id, thawed_at, thawed_by, ...freeze }) => (
          <li key={freeze_id} className="schedule" {...ROW}>
            <p>
              <strong>{scopeOf({ freeze_id, thawed_at, thawed_by, ...freeze })}</strong>: {freeze.reason}
            </p>
            <p className="muted small">
              frozen by {freeze.frozen_by} <Time at={freeze.created_at} />, thawed by {thawed_by ?? "an unknown token"}{" "}
              {thawed_at !== null && <Time at={thawed_at} />}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}

// Which task has a target, of those that have had one for longest: others on it wait.

type Cluster = Pick<OperationAnswer<"list_servers">, "held" | "servers">;

function HeldTargets({ held, servers }: Cluster) {
  if (held.length === 0) return null;
  const nameOf = (id: string | null) => servers.find(({ server_id }) => server_id === id)?.name ?? null;
  return (
    <section className="stack" aria-labelledby="held">
      <h2 id="held">Targets in use</h2>
      <div className="card">
        <ul className="plain-list" aria-label="Targets in use">
          {held.map(({ target_signature, task_id, since, server_id }) => (
            <li key={target_signature} className="queued" {...ROW}>
              <InlineCode text={target_signature === "" ? "no target" : target_signature} />
              <span className="queued-why">
                by <TaskLink task_id={task_id} />
                {server_id === null ? ", which waits" : ` on ${nameOf(server_id) ?? "a server that is gone"}`}
              </span>
              <span className="muted small">
                <Time at={since} />
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

// What lets nothing start now: freezes, each with the button that ends it, and a window by calendar, which ends by itself.

type Freezes = OperationAnswer<"list_freezes">;

function InForce({ in_force, freezes }: Freezes) {
  const [asked, setAsked] = useState<ShownFreeze | null>(null);
  return (
    <>
      {in_force.map((held) => {
        const freeze = freezes.find(({ freeze_id }) => freeze_id === held.freeze_id) ?? null;
        return (
          <Notice key={held.freeze_id ?? `window ${held.until}`} tone="stop">
            <div className="in-force">
              <div>
                <p>
                  <strong>
                    {freeze === null ? "A freeze window holds every change" : `Frozen: ${scopeOf(freeze)}`}
                  </strong>
                </p>
                <p>{held.reason}</p>
                <p className="muted small">
                  {freeze !== null && (
                    <>
                      by {freeze.frozen_by}, <Time at={freeze.created_at} />
                    </>
                  )}
                  {held.until !== null && (
                    <>
                      {" "}
                      it ends <Time at={held.until} />
                    </>
                  )}
                </p>
              </div>
              {freeze !== null && (
                <button type="button" className="button" onClick={() => setAsked(freeze)}>
                  Thaw
                </button>
              )}
            </div>
          </Notice>
        );
      })}
      {asked !== null && <ThawDialog freeze={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function ThawDialog({ freeze, onClose }: { readonly freeze: ShownFreeze; readonly onClose: () => void }) {
  const thaw = useAction("thaw");
  const start = () => thaw.mutate({ freeze_id: freeze.freeze_id }, { onSuccess: onClose });
  return (
    <ActionDialog
      decides
      onClose={onClose}
      title={`Thaw ${scopeOf(freeze)}?`}
      description="What it held starts at once, oldest first."
      problem={thaw.error}
      busy={thaw.isPending}
      actions={[{ label: "Thaw it", look: "primary", run: start }]}
    />
  );
}

// What waits to start, and why: another task has its target, a freeze holds it, no server has its labels, or all are busy.

type WaitingTask = OperationAnswer<"list_tasks">["tasks"][number];
type QueueCluster = OperationAnswer<"list_servers">;

/** Above this, times of one server are shown before those of another. */
const MOST_SKEW_SECONDS = 2;

type Props = { readonly tasks: readonly WaitingTask[]; readonly more: boolean; readonly cluster: QueueCluster };

function Queue({ tasks, more, cluster }: Props) {
  return (
    <section className="stack" aria-labelledby="queue">
      <h2 id="queue">Waiting to start</h2>
      <div className="card">
        {tasks.length === 0 && <p className="card-body muted">No task waits to start.</p>}
        {tasks.length > 0 && (
          <ul className="plain-list" aria-label="Tasks that wait to start">
            {tasks.map((task) => (
              <li key={task.task_id} className="queued" {...ROW}>
                <TaskLink task_id={task.task_id} />
                <span className="queued-why">{printable(task.waiting_text ?? "")}</span>
                <span className="muted small">
                  <Time at={task.created_at} />
                </span>
              </li>
            ))}
          </ul>
        )}
        <p className="queue-foot muted small number">
          {more && "More wait than are shown. "}
          {queueText(cluster)}
        </p>
      </div>
    </section>
  );
}

function queueText({ queue, clock_skew_seconds }: QueueCluster): string {
  const skew = Math.abs(clock_skew_seconds);
  const clock =
    skew <= MOST_SKEW_SECONDS
      ? ""
      : ` The clock of the server that answers is ${skew} s ${clock_skew_seconds > 0 ? "ahead of" : "after"} the database's: set it.`;
  if (queue === null) return `The length of the queue is not known.${clock}`;
  const { ready, later, running } = queue;
  return `${count(ready, "wakeup")} ready, ${later} for later, ${running} being worked on.${clock}`;
}
