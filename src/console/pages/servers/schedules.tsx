// The schedules: what orch submits by itself, when next, and what became of it.
import { useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { CopyButton } from "../../parts/buttons.tsx";
import { InlineCode, TaskLink } from "../../parts/code.tsx";
import { ActionDialog } from "../../parts/dialog.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";
import { Status } from "../../parts/status.tsx";
import { count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { ROW } from "../../parts/use-keys.ts";

const ADD = "orch schedule add web-up.yaml --every 5m";

export const Schedules = ({ schedules, next_after }: OperationAnswer<"list_schedules">) => (
  <section className="stack" aria-labelledby="schedules">
    <h2 id="schedules">Schedules</h2>
    {schedules.length === 0 && (
      <div className="card card-body stack">
        <p className="muted">
          orch submits nothing by itself. A schedule submits a contract at an interval or by a cron expression:
        </p>
        <p className="row">
          <code className="command">{ADD}</code>
          <CopyButton text={ADD} label="Copy" />
        </p>
      </div>
    )}
    {schedules.length > 0 && (
      <ul className="list" aria-label="Schedules">
        {schedules.map((schedule) => (
          <ScheduleRow key={schedule.name} schedule={schedule} />
        ))}
      </ul>
    )}
    {next_after !== null && (
      <p className="muted">
        There are more: <code>orch schedule list --all</code> lists all of them.
      </p>
    )}
  </section>
);

// A schedule: when it is due next, its last task, what was left out, and the buttons that hold it or end it.

type ShownSchedule = OperationAnswer<"list_schedules">["schedules"][number];

function ScheduleRow({ schedule }: { readonly schedule: ShownSchedule }) {
  const [asks, setAsks] = useState(false);
  const pause = useAction("pause_schedule");
  const resume = useAction("resume_schedule");
  const { name, status } = schedule;
  const isPaused = status === "paused";
  const error = pause.error ?? resume.error;
  return (
    <li className="schedule" aria-label={name} {...ROW}>
      <div className="row">
        <h3>{name}</h3>
        <Mark schedule={schedule} />
        <span className="row push">
          <button
            type="button"
            className="button small"
            disabled={pause.isPending || resume.isPending}
            onClick={() => (isPaused ? resume : pause).mutate({ name })}
          >
            {isPaused ? "Resume" : "Pause"}
          </button>
          <button type="button" className="button quiet small" onClick={() => setAsks(true)}>
            Remove
          </button>
        </span>
      </div>
      {error !== null && <ProblemNotice problem={error} />}
      <p>
        {whenOf(schedule)}: {schedule.contract.intent} <InlineCode text={targetOf(schedule.contract.target)} />
      </p>
      <Facts schedule={schedule} />
      {asks && <RemoveDialog name={name} onClose={() => setAsks(false)} />}
    </li>
  );
}

function Mark({ schedule: { status, fault } }: { readonly schedule: ShownSchedule }) {
  if (fault !== null) return <Status tone="bad">Not submitted</Status>;
  return status === "paused" ? <Status tone="stop">Paused</Status> : <Status tone="ok">Active</Status>;
}

function Facts({ schedule }: { readonly schedule: ShownSchedule }) {
  const { next_due, status, runs, skipped, missed, last_task_id, fault } = schedule;
  return (
    <>
      {fault !== null && <p className="schedule-fault">{fault}</p>}
      <p className="muted small number">
        {next_due !== null && (
          <>
            next <Time at={next_due} />,{" "}
          </>
        )}
        {next_due === null && status === "active" && "never due again, "}
        {count(runs, "run")}
        {skipped > 0 && `, ${skipped} skipped`}
        {missed > 0 && `, ${missed} missed`}
        {last_task_id !== null && (
          <>
            , last: <TaskLink task_id={last_task_id} />
          </>
        )}
      </p>
    </>
  );
}

const whenOf = ({ every, cron, timezone }: ShownSchedule): string =>
  every === null ? `${cron ?? ""} (${timezone ?? "time of the server"})` : `every ${every}`;

const targetOf = (target: Readonly<Record<string, string>>): string =>
  Object.entries(target)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(";");

// The question before a schedule is removed.

function RemoveDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const remove = useAction("remove_schedule");
  return (
    <ActionDialog
      onClose={onClose}
      title={`Remove the schedule ${name}?`}
      description="It submits nothing more. Its tasks stay, and a running one goes on. Pausing it keeps it for later."
      problem={remove.error}
      busy={remove.isPending}
      actions={[{ label: "Remove it", look: "danger", run: () => remove.mutate({ name }, { onSuccess: onClose }) }]}
    />
  );
}
