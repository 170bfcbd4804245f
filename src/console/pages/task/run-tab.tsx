// Shows the run of a task: what took its time, its steps and those of its skill, and what its end is worth.
import { useEffect, useMemo, useState } from "react";
import { createSignal, useSignal } from "../../live/signal.ts";
import type { Journal, WrittenText } from "../../live/use-journal.ts";
import type { OperationAnswer } from "../../operations.ts";
import { Code, InlineCode } from "../../parts/code.tsx";
import { Empty, Reading } from "../../parts/loaded.tsx";
import { Status } from "../../parts/status.tsx";
import { count, duration } from "../../parts/text.ts";
import { useKeys } from "../../parts/use-keys.ts";
import { RecordedEnd } from "./recorded-end.tsx";
import {
  firstFailure,
  isOfSkill,
  type LaneSpan,
  runOf,
  skillStepsIn,
  type TaskLane,
  type TaskRun,
  timeScale,
} from "./run-of.ts";
import { Step } from "./task-step.tsx";

type Props = { readonly task: OperationAnswer<"get_task">; readonly journal: Journal };

export function RunTab({ task, journal }: Props) {
  const { events, shown, live, is_whole, is_ready } = journal;
  const run = useMemo(() => runOf(events, shown), [events, shown]);
  const is_of_skill = isOfSkill(events);
  // Lanes that appear above the steps would move what a person is about to click.
  if (!is_ready) return <Reading />;
  return (
    <div className="stack">
      <Lanes spans={run.spans} ended_at={task.ended_at} />
      {is_of_skill ? (
        <SkillSteps events={events} shown={shown} />
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

// The steps that a skill has recorded, each with its name, its tool calls and its value.

function SkillSteps({ events, shown }: Pick<Journal, "events" | "shown">) {
  return (
    <section aria-label="Steps of the skill">
      <h2 className="steps-head">Steps of the skill</h2>
      <ol className="steps">
        {[...skillStepsIn(events, shown)].map(([index, { name, end, cancelled }]) => (
          <li key={index} className="step card">
            <details>
              <summary className="step-head">
                <span className="step-number number">{index}</span>
                <span className="step-command">
                  <InlineCode text={name} />
                </span>
                <span className="step-facts">
                  <span className="muted small number step-time">{end === null ? "" : duration(end.duration_ms)}</span>
                  {end === null && <Status tone="busy">Begun</Status>}
                  {cancelled && <Status tone="cancelled">Cancelled</Status>}
                  {end !== null && !cancelled && (
                    <Status tone={end.ok ? "ok" : "bad"}>{end.ok ? "Passed" : "Failed"}</Status>
                  )}
                </span>
              </summary>
              <div className="step-body stack">
                {end?.message != null && <Code text={end.message} label="Message" />}
                {end !== null && end.calls.length > 0 && <Code text={end.calls.join("\n")} label="Tool calls" />}
                {end !== null && <Code text={JSON.stringify(end.value, null, 2)} label="Value" />}
              </div>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

// The steps of a task. The one that runs and the first that failed are open; a person's own choice stays.

type StepListProps = {
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

function StepList({ task, run, live, failure }: StepListProps) {
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

// Shows what took the time of a task: a lane each for the queue, people, the steps and the model.

const LANES: readonly (readonly [TaskLane, string])[] = [
  ["queue", "Queue"],
  ["people", "People"],
  ["steps", "Steps"],
  ["model", "Model"],
];

const second = createSignal(Date.now());
setInterval(() => second.set(Date.now()), 1_000);

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

type LanesProps = { readonly spans: readonly LaneSpan[]; readonly ended_at: string | null };

function Lanes({ spans, ended_at }: LanesProps) {
  const ticking = useSignal(second);
  if (spans.length === 0) return null;
  const now_ms = ended_at === null ? ticking : Date.parse(ended_at);
  const scale = timeScale(spans, now_ms);
  const lanes = LANES.map(([lane, word]) => ({ lane, word, of: spans.filter((span) => span.lane === lane) }));
  return (
    <section className="lanes card" aria-label="What took the time">
      {lanes
        .filter(({ of }) => of.length > 0)
        .map(({ lane, word, of }) => (
          <div className="lane" key={lane}>
            <span className="lane-name">{word}</span>
            <svg className="lane-track" aria-hidden="true">
              {of.map((span) => (
                <Bar key={`${span.from} ${span.label}`} span={span} now_ms={now_ms} at={scale.at} />
              ))}
              {scale.breaks.map((at) => (
                <line key={at} className="lane-break" x1={percent(at)} x2={percent(at)} y1="0" y2="100%" />
              ))}
            </svg>
            <span className="lane-sum number">{duration(sumOf(of, now_ms))}</span>
          </div>
        ))}
    </section>
  );
}

function Bar({
  span,
  now_ms,
  at,
}: {
  readonly span: LaneSpan;
  readonly now_ms: number;
  readonly at: (ms: number) => number;
}) {
  const { from, to, lane, end: ended = "done", label } = span;
  const end = to ?? now_ms;
  const width = Math.max(0.004, at(end) - at(from));
  return (
    <rect
      className="lane-bar"
      data-lane={lane}
      data-state={to === null ? "open" : ended}
      x={percent(Math.min(at(from), 1 - width))}
      width={percent(width)}
      y="3"
      height="14"
      rx="2"
    >
      <title>{`${label}: ${duration(Math.max(0, end - from))}`}</title>
    </rect>
  );
}

const sumOf = (spans: readonly LaneSpan[], now_ms: number): number =>
  spans.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now_ms) - from), 0);
