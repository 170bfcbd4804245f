// The first thing of a task that is read: its status, why, and what can be done about it here.
import { Link } from "@tanstack/react-router";
import type { JournalEvent } from "../../../domain/journal.ts";
import { printable } from "../../../domain/printable.ts";
import { InlineCode, Printable } from "../../parts/code.tsx";
import { NextSteps } from "../../parts/next-steps.tsx";
import { TaskStatusMark } from "../../parts/status.tsx";
import { duration } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";
import { CancelTask } from "./cancel-task.tsx";
import { CommandMenu } from "./command-menu.tsx";
import { reasonOf } from "./reason-of.ts";
import { cancelReasonIn, contractIn } from "./said-in-journal.ts";
import { WhatWaits } from "./what-waits.tsx";

type Props = { readonly task: OperationAnswer<"get_task">; readonly events: readonly JournalEvent[] };

const ENDED: ReadonlySet<string> = new Set(["ok", "failed", "blocked", "cancelled"]);

export function TaskHead({ task, events }: Props) {
  const { task_id, status, intent, target_signature, outcome } = task;
  const has_ended = ENDED.has(status);
  const asked = cancelReasonIn(events);
  return (
    <>
      <header className="task-head">
        <div className="row">
          <TaskStatusMark status={status} />
          <h1 className="task-title">
            {intent} <InlineCode text={target_signature} />
          </h1>
          <div className="actions row push">
            <CommandMenu task={task} />
            {!has_ended && <CancelTask task_id={task_id} />}
          </div>
        </div>
        <p className="task-why sentence">
          {printable(reasonOf(task))}
          {outcome !== null && <code className="task-code">{outcome.skill_code ?? outcome.reason_code}</code>}
        </p>
        {asked !== null && !(outcome?.message ?? "").includes(asked) && (
          <p className="sentence">
            Cancelled: <Printable text={asked} />
          </p>
        )}
        <TaskFacts task={task} events={events} />
      </header>
      <WhatWaits task={task} />
      {(status === "blocked" || status === "failed") && <NextSteps {...task} />}
    </>
  );
}

function TaskFacts({ task, events }: Props) {
  const { task_id, sop_id, sop_version, backend, runs_on, created_at, ended_at, ignored } = task;
  const contract = contractIn(events);
  return (
    <ul className="task-facts muted">
      <li>
        <InlineCode text={task_id} />
      </li>
      {contract !== null && (
        <li>
          asked by <InlineCode text={contract.requested_by} />
        </li>
      )}
      <li>
        accepted <Time at={created_at} />
      </li>
      {ended_at !== null && <li>took {duration(Date.parse(ended_at) - Date.parse(created_at))}</li>}
      {sop_id !== null && (
        <li>
          <Link to="/sops/$sop_id" params={{ sop_id }}>
            procedure version {sop_version}
          </Link>
        </li>
      )}
      {(backend !== "local" || runs_on !== null) && <li>runs on {runs_on?.join(", ") ?? "the flow engine"}</li>}
      {ignored !== undefined && <li>other fields of the contract are {ignored}</li>}
    </ul>
  );
}
