// Teaching: a procedure is written beside what orch says of it. It begins with a task, a version, a proposal of an agent, or nothing.
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useOperation } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { InlineCode } from "../../parts/code.tsx";
import { useTitle } from "../../parts/hooks.ts";
import { Loaded, Reading } from "../../parts/loaded.tsx";
import { Notice } from "../../parts/notice.tsx";
import { TaskStatusMark } from "../../parts/status.tsx";
import { EMPTY_START, startOfProposal, startOfRun, startOfSop, startOfTask, type TeachStart } from "./starts.ts";

const TeachDesk = lazy(() => import("./teach-desk.tsx").then(({ TeachDesk: desk }) => ({ default: desk })));

const route = getRouteApi("/inside/teach");

export function TeachPage() {
  useTitle("Teach");
  const { task_id, sop_id, intent, target = "" } = route.useSearch();
  if (task_id !== undefined) return <FromTask key={task_id} task_id={task_id} />;
  if (sop_id !== undefined) return <FromSop key={sop_id} sop_id={sop_id} />;
  if (intent !== undefined) return <FromKey intent={intent} target_signature={target} />;
  return <Desk start={EMPTY_START} />;
}

function Desk({ start }: { readonly start: TeachStart }) {
  const { title, about, subject, task } = start;
  const [taught, setTaught] = useState<OperationAnswer<"teach"> | null>(null);
  if (taught !== null) return <Taught answer={taught} />;
  return (
    <>
      <header className="page-head">
        <h1>{title}</h1>
        {subject !== null && <Target target={subject.target} />}
        {task !== null && (
          <Link to="/tasks/$task_id" params={{ task_id: task.task_id }}>
            Show the task
          </Link>
        )}
      </header>
      <p className="teach-about muted">{about}</p>
      {subject === null && <WaitingTasks />}
      <Suspense fallback={<Reading />}>
        <TeachDesk key={start.key} start={start} onTaught={setTaught} />
      </Suspense>
    </>
  );
}

const Target = ({ target }: { readonly target: Readonly<Record<string, string>> }) => {
  const pairs = Object.entries(target).map(([name, value]) => `${name}=${value}`);
  return <InlineCode text={pairs.length === 0 ? "no target" : pairs.join(" ")} />;
};

function FromTask({ task_id }: { readonly task_id: string }) {
  const task = useOperation("get_task", { task_id });
  const evidence = useOperation("get_evidence", { task_id });
  return (
    <Loaded query={task}>
      {({ waiting, status, delegation_mode }) => (
        <Loaded query={evidence}>
          {(known) => {
            if (waiting?.kind === "teaching") return <Desk start={startOfTask(known)} />;
            if (status === "ok" && delegation_mode === "agent") return <FromProposal task_id={task_id} />;
            return <Desk start={startOfRun(known)} />;
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

function FromProposal({ task_id }: { readonly task_id: string }) {
  const proposal = useOperation("propose_sop", { task_id });
  return <Loaded query={proposal}>{(known) => <Desk start={startOfProposal(task_id, known)} />}</Loaded>;
}

function FromSop({ sop_id }: { readonly sop_id: string }) {
  const sop = useOperation("get_sop", { sop_id });
  return <Loaded query={sop}>{(known) => <Desk start={startOfSop(known)} />}</Loaded>;
}

/** The version in use, or else the newest. */
function FromKey(key: { readonly intent: string; readonly target_signature: string }) {
  const versions = useOperation("list_sops", { ...key, limit: 100 });
  return (
    <Loaded query={versions}>
      {({ sops }) => {
        const version = sops.find(({ status }) => status === "active") ?? sops[0];
        if (version !== undefined) return <FromSop key={version.sop_id} sop_id={version.sop_id} />;
        return <Desk start={EMPTY_START} />;
      }}
    </Loaded>
  );
}

/** Most often somebody comes here because a task waits. */
function WaitingTasks() {
  const inbox = useOperation("list_inbox", { limit: 500 });
  const waiting = inbox.data?.items.filter(({ kind }) => kind === "teaching") ?? [];
  if (waiting.length === 0) return null;
  return (
    <section className="stack teach-waiting" aria-label="Tasks that wait to be taught">
      <ul className="list">
        {waiting.map(({ thread_id, intent, target_signature }) => (
          <li key={thread_id}>
            <Link to="/teach" search={{ task_id: thread_id }} className="list-row">
              Task <InlineCode text={thread_id} /> waits to be taught {intent} on <InlineCode text={target_signature} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

// Where a teaching went: to its task, to an approval, or to a candidate; with what its checks may not be worth.

function Taught({ answer: { task, sop, approval_id, warnings } }: { readonly answer: OperationAnswer<"teach"> }) {
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
