// The steps of a task. The one that runs and the first that failed are open; a person's own choice stays.
import { useEffect, useState } from "react";
import type { WrittenText } from "../../live/use-journal.ts";
import { count } from "../../parts/text.ts";
import { useKeys } from "../../parts/use-keys.ts";
import type { OperationAnswer } from "../../typed-operations.ts";
import type { TaskRun } from "./run-of.ts";
import { Step } from "./step.tsx";

type Props = {
  readonly task: OperationAnswer<"get_task">;
  readonly run: TaskRun;
  readonly live: ReadonlyMap<string, WrittenText>;
  readonly failure: number | null;
};

const FRAGMENT = /^#?s(\d+)\b/;

/** The step that the address names. */
const linked = (): number | null => {
  const found = FRAGMENT.exec(location.hash)?.[1];
  return found === undefined ? null : Number(found);
};

export function StepList({ task, run, live, failure }: Props) {
  const { steps, task_id } = task;
  const [chosen, choose] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [named] = useState(linked);
  const isOpen = ({ index, status }: (typeof steps)[number]): boolean =>
    chosen.get(index) ?? (status === "running" || index === failure || index === named);
  const jump = () => {
    if (failure === null) return;
    choose((before) => new Map(before).set(failure, true));
    document.getElementById(`s${failure}`)?.scrollIntoView({ block: "start" });
    document.getElementById(`s${failure}`)?.querySelector("button")?.focus({ preventScroll: true });
  };
  useKeys({ f: jump });
  useScrollToNamed(named !== null && run.attempts.has(named));
  if (steps.length === 0) return null;
  const done = steps.filter(({ status }) => status === "passed").length;
  return (
    <section aria-label="Steps">
      <div className="row steps-head">
        <h2>Steps</h2>
        <span className="muted number">{`${done} of ${count(steps.length, "step")} passed`}</span>
        {failure !== null && (
          <button type="button" className="button small push" onClick={jump}>
            First failure: step {failure}
          </button>
        )}
      </div>
      <ol className="steps">
        {steps.map((step) => (
          <Step
            key={step.index}
            task_id={task_id}
            step={step}
            attempts={run.attempts.get(step.index) ?? []}
            live={live}
            is_open={isOpen(step)}
            has_ended={task.ended_at !== null}
            onToggle={() => choose((before) => new Map(before).set(step.index, !isOpen(step)))}
          />
        ))}
      </ol>
    </section>
  );
}

/** The line that the address names is there only now. */
function useScrollToNamed(is_there: boolean): void {
  useEffect(() => {
    if (!is_there) return;
    const timer = setTimeout(() => {
      const line = document.getElementById(location.hash.slice(1));
      line?.scrollIntoView({ block: "center" });
      line?.setAttribute("data-linked", "true");
    }, 50);
    return () => clearTimeout(timer);
  }, [is_there]);
}
