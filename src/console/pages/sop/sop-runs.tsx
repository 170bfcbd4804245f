// The tasks that ran this version, newest first.
import { Link } from "@tanstack/react-router";
import { useOperation } from "../../live/use-operation.ts";
import { InlineCode } from "../../parts/code.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Tag, TaskStatusMark } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";

export function SopRuns({ sop_id }: { readonly sop_id: string }) {
  const tasks = useOperation("list_tasks", { sop_id, limit: 100 });
  return (
    <Loaded query={tasks}>
      {({ tasks: ran, next_after }) =>
        ran.length === 0 ? (
          <Empty icon="tasks" title="No task has run this version">
            <p>A task with this intent and target runs the version that is in use.</p>
          </Empty>
        ) : (
          <div className="stack">
            <ul className="list" aria-label="Tasks that ran this version">
              {ran.map(({ task_id, status, outcome, verification, created_at }) => (
                <li key={task_id}>
                  <Link to="/tasks/$task_id" params={{ task_id }} className="list-row sop-run">
                    <TaskStatusMark status={status} />
                    <InlineCode text={task_id} />
                    <span className="muted sop-run-text">{outcome?.message}</span>
                    <span className="row push">
                      {verification !== null && (
                        <Tag tone={verification.verified ? "ok" : "bad"}>
                          {verification.verified ? "Verified" : "Found wrong"}
                        </Tag>
                      )}
                      <span className="muted small">
                        <Time at={created_at} />
                      </span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
            {next_after !== null && <p className="muted">Earlier runs are left out; the list of tasks has them.</p>}
          </div>
        )
      }
    </Loaded>
  );
}
