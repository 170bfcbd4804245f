// The run of a task: what took its time, its steps with what they wrote, and what its end is worth.
import { useMemo } from "react";
import type { Journal } from "../../live/use-journal.ts";
import { Empty } from "../../parts/empty.tsx";
import { Reading } from "../../parts/loaded.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";
import { Lanes } from "./lanes.tsx";
import { RecordedEnd } from "./recorded-end.tsx";
import { firstFailure, runOf } from "./run-of.ts";
import { isOfSkill } from "./said-in-journal.ts";
import { SkillSteps } from "./skill-steps.tsx";
import { StepList } from "./step-list.tsx";

type Props = { readonly task: OperationAnswer<"get_task">; readonly journal: Journal };

export function RunTab({ task, journal }: Props) {
  const { events, live, is_whole, is_ready } = journal;
  const run = useMemo(() => runOf(events), [events]);
  const is_of_skill = isOfSkill(events);
  // Lanes that appear above the steps would move what a person is about to click.
  if (!is_ready) return <Reading />;
  return (
    <div className="stack">
      <Lanes spans={run.spans} ended_at={task.ended_at} />
      {is_of_skill ? (
        <SkillSteps events={events} />
      ) : (
        <StepList
          task={task}
          run={run}
          live={live}
          failure={is_whole && task.status !== "ok" ? firstFailure(run) : null}
        />
      )}
      {is_whole && !is_of_skill && task.steps.length === 0 && <NoSteps task={task} />}
      <RecordedEnd task={task} />
    </div>
  );
}

const NoSteps = ({ task: { status } }: { readonly task: OperationAnswer<"get_task"> }) => (
  <Empty icon="tasks" title="No step has run">
    <p>
      {status === "need_input" || status === "accepted"
        ? "Its steps appear here as soon as it has some."
        : "Why is said above; the journal has every event."}
    </p>
  </Empty>
);
