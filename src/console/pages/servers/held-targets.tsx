// Which task has a target, of those that have had one for longest: others on it wait.
import { Link } from "@tanstack/react-router";
import { InlineCode } from "../../parts/code.tsx";
import { Time } from "../../parts/time.tsx";
import { ROW } from "../../parts/use-list-keys.ts";
import type { OperationAnswer } from "../../typed-operations.ts";

type Cluster = Pick<OperationAnswer<"list_servers">, "held" | "servers">;

export function HeldTargets({ held, servers }: Cluster) {
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
                by{" "}
                <Link to="/tasks/$task_id" params={{ task_id }}>
                  <InlineCode text={task_id} />
                </Link>
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
