// What the task waits for, with the action at hand; after its end, what may follow from it.
import { Link } from "@tanstack/react-router";
import { Notice } from "../../parts/notice.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";
import { ResolveStep } from "./resolve-step.tsx";

export function WhatWaits({ task }: { readonly task: OperationAnswer<"get_task"> }) {
  const { waiting, task_id, steps, next } = task;
  if (waiting === null) return null;
  const advice = next.find(({ operation }) => operation === null)?.text;
  switch (waiting.kind) {
    case "approval":
      return (
        <Notice tone="ask">
          <p>Nothing runs until a person has decided.</p>
          <Link className="button primary" to="/approvals/$approval_id" params={{ approval_id: waiting.approval_id }}>
            Look at what would run
          </Link>
        </Notice>
      );
    case "teaching":
      return (
        <Notice tone="ask">
          <p>There is no procedure for it yet. Teach the steps, and the task goes on with them.</p>
          <Link className="button primary" to="/teach" search={{ task_id }}>
            Teach it
          </Link>
        </Notice>
      );
    case "resolution": {
      const { index, attempt } = waiting;
      return (
        <Notice tone="bad">
          <p>
            Find out whether step {index} took effect, and say what you found. orch does not run it again by itself.
          </p>
          <ResolveStep task_id={task_id} step={{ index, attempt, command: steps[index]?.command ?? null }} />
        </Notice>
      );
    }
    case "parked":
      return (
        <Notice tone="bad">
          {advice !== undefined && <p>{advice}</p>}
          <ResolveStep task_id={task_id} step={null} />
        </Notice>
      );
  }
}
