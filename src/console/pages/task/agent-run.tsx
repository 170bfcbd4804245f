// The run of an agent: what it was given, what it thought, asked for and was answered, and how it ended.
import { useMemo } from "react";
import type { JournalEvent } from "../../../domain/journal.ts";
import { Code, InlineCode } from "../../parts/code.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Status } from "../../parts/status.tsx";
import { count, duration } from "../../parts/text.ts";
import type { OperationAnswer } from "../../typed-operations.ts";
import { AgentTurn } from "./agent-turn.tsx";
import { ProposeProcedure } from "./propose-procedure.tsx";
import { contractIn } from "./said-in-journal.ts";
import { type Transcript, transcriptOf } from "./transcript.ts";

type Props = { readonly task: OperationAnswer<"get_task">; readonly events: readonly JournalEvent[] };

export function AgentRun({ task, events }: Props) {
  const transcript = useMemo(() => transcriptOf(events), [events]);
  const { turns, finished, stopped } = transcript;
  const goal = contractIn(events)?.payload["goal"];
  if (turns.length === 0 && stopped === null)
    return (
      <Empty icon="tasks" title="The agent has not begun">
        <p>Each reply of its model appears here with its calls, as soon as it has one.</p>
      </Empty>
    );
  return (
    <div className="stack">
      <Given transcript={transcript} goal={typeof goal === "string" ? goal : null} />
      <ol className="turns" aria-label="Transcript">
        {turns.map((turn) => (
          <AgentTurn key={turn.turn} turn={turn} task_id={task.task_id} />
        ))}
      </ol>
      {finished !== null && (
        <section className="card card-body stack" aria-label="Its end">
          <Status tone={finished.done ? "ok" : "bad"}>
            {finished.done ? "It says that it is done" : "It gave up"}
          </Status>
          <Code text={finished.summary} label="Its summary" />
          <p className="muted">What counts is whether a check has proved it: the run shows that.</p>
        </section>
      )}
      {stopped !== null && (
        <section className="card card-body stack" aria-label="Its end">
          <Status tone="bad">Stopped</Status>
          <p>{stopped.message}</p>
        </section>
      )}
      {task.status === "ok" && <ProposeProcedure task_id={task.task_id} />}
    </div>
  );
}

function Given({ transcript, goal }: { readonly transcript: Transcript; readonly goal: string | null }) {
  const { equipped, turns, spent_ms } = transcript;
  const calls = turns.flatMap((turn) => turn.calls);
  const refused = calls.filter(({ judged }) => judged?.verdict === "refuse").length;
  return (
    <section className="card card-body stack" aria-label="What it was given">
      {goal !== null && (
        <p>
          <InlineCode text={goal} />
        </p>
      )}
      <ul className="task-facts muted">
        {equipped !== null && (
          <li>
            <InlineCode text={equipped.model} /> on {equipped.agent_backend}
          </li>
        )}
        <li>{count(turns.length, "reply", "replies")}</li>
        <li>{count(calls.length, "call")}</li>
        {refused > 0 && <li>{refused} refused</li>}
        <li>{duration(spent_ms)} of model and calls</li>
      </ul>
      {equipped !== null && (
        <Budget budget={equipped.budget} used={{ turns: turns.length, calls: calls.length, spent_ms }} />
      )}
      {equipped !== null && (
        <details>
          <summary className="muted">{count(equipped.tools.length, "tool")}</summary>
          <p className="agent-tools">
            <InlineCode text={equipped.tools.join(", ")} />
          </p>
          {equipped.missing.map((line) => (
            <p key={line}>
              <InlineCode text={line} />
            </p>
          ))}
        </details>
      )}
    </section>
  );
}

type Budgets = NonNullable<Transcript["equipped"]>["budget"];
type Used = { readonly turns: number; readonly calls: number; readonly spent_ms: number };

const MINUTE_MS = 60_000;

/** How much of what it may take it has taken. */
function Budget({ budget, used }: { readonly budget: Budgets; readonly used: Used }) {
  if (budget === undefined) return null;
  const bars = [
    ["Replies", used.turns, budget.turns],
    ["Calls", used.calls, budget.calls],
    ["Minutes", Math.round((used.spent_ms / MINUTE_MS) * 10) / 10, budget.minutes],
  ] as const;
  return (
    <ul className="budget">
      {bars.map(([name, value, most]) => (
        <li key={name}>
          <span className="muted small">{name}</span>
          <span className="number small">{`${value} of ${most}`}</span>
          <meter aria-label={name} min={0} max={most} high={most * 0.8} value={Math.min(value, most)} />
        </li>
      ))}
    </ul>
  );
}
