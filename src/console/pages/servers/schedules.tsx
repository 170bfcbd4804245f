// The schedules: what orch submits by itself, when next, and what became of it.

import { CopyButton } from "../../parts/copy-button.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";
import { ScheduleRow } from "./schedule-row.tsx";

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
