// Where a teaching went: to its task, to an approval, or to a candidate; with what its checks may not be worth.
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { InlineCode } from "../../parts/code.tsx";
import { Notice } from "../../parts/notice.tsx";
import { TaskStatusMark } from "../../parts/status.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";

export function Taught({
  answer: { task, sop, approval_id, warnings },
}: {
  readonly answer: OperationAnswer<"teach">;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const asks = approval_id ?? (task?.waiting?.kind === "approval" ? task.waiting.approval_id : null);
  return (
    <section className="card card-body stack taught">
      <h1 ref={heading} tabIndex={-1}>
        {task === null ? "Stored as a candidate" : "Taught"}
      </h1>
      {task !== null && (
        <p className="row">
          Task <InlineCode text={task.task_id} /> <TaskStatusMark status={task.status} />
          {task.outcome !== null && <span className="muted">{task.outcome.message}</span>}
        </p>
      )}
      {task === null && sop !== null && (
        <p>
          Version {sop.version} of {sop.intent} waits for its promotion. Nothing of it runs before.
        </p>
      )}
      {warnings.length > 0 && (
        <Notice tone="ask">
          <p>These checks could not be seen to fail, so they may prove nothing:</p>
          <ul>
            {warnings.map(({ step_index, reason }) => (
              <li key={step_index}>
                Step {step_index}: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="row">
        {asks !== null && (
          <Link to="/approvals/$approval_id" params={{ approval_id: asks }} className="button primary">
            Review the approval
          </Link>
        )}
        {task !== null && (
          <Link to="/tasks/$task_id" params={{ task_id: task.task_id }} className="button">
            Open the task
          </Link>
        )}
        {sop !== null && (
          <Link to="/sops/$sop_id" params={{ sop_id: sop.sop_id }} className="button">
            Show version {sop.version}
          </Link>
        )}
      </div>
    </section>
  );
}
