// Shows the servers: which live, which tasks wait and why, which have held a target for long, what is frozen, and what orch
// submits by itself.
import { printable } from "../../../domain/printable.ts";
import { useOperation } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { InlineCode, TaskLink } from "../../parts/code.tsx";
import { useTitle } from "../../parts/hooks.ts";
import { Loaded, Reading } from "../../parts/loaded.tsx";
import { count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { ROW, useListKeys } from "../../parts/use-keys.ts";
import { Doctor } from "./doctor.tsx";
import { FreezeButton, InForce, PastFreezes } from "./freezes.tsx";
import { Schedules } from "./schedules.tsx";
import { ServerCard, type ShownServer } from "./server-card.tsx";

/** A lease is renewed each 10 s, and no event says so. */
const LOOK_MS = 10_000;

export function ServersPage() {
  useTitle("Servers");
  return (
    <>
      <header className="page-head">
        <h1>Servers</h1>
        <div className="actions">
          <FreezeButton />
        </div>
      </header>
      <Everything />
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
