// Shows a step of a task: its command, how each attempt of it ended, and what it wrote or writes now.
import { useEffect, useId, useRef } from "react";
import { printable } from "../../../domain/printable.ts";
import { liveKey, type WrittenText } from "../../live/use-journal.ts";
import type { OperationAnswer } from "../../operations.ts";
import { Code, InlineCode } from "../../parts/code.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { byteCount, duration } from "../../parts/text.ts";
import { stepKind } from "../../parts/words.ts";
import { Attempt } from "./attempt.tsx";
import type { StepAttempt } from "./run-of.ts";

type StepView = OperationAnswer<"get_task">["steps"][number];

type StepProps = {
  readonly task_id: string;
  readonly step: StepView;
  readonly attempts: readonly StepAttempt[];
  readonly live: ReadonlyMap<string, WrittenText>;
  readonly is_open: boolean;
  readonly onToggle: () => void;
  /** Nothing of it will run any more. */
  readonly has_ended: boolean;
};

type ShownStatus = StepView["status"] | "cancelled";

const TONES: Readonly<Record<ShownStatus, readonly [Tone, string]>> = {
  passed: ["ok", "Passed"],
  failed: ["bad", "Failed"],
  skipped: ["idle", "Skipped"],
  blocked: ["stop", "Blocked"],
  outcome_unknown: ["ask", "Outcome unknown"],
  pending: ["idle", "Not yet"],
  running: ["busy", "Running"],
  cancelled: ["cancelled", "Cancelled"],
};

const NOT_RUN = ["idle", "Not run"] as const;

export function Step({ task_id, step, attempts, live, is_open, onToggle, has_ended }: StepProps) {
  const body = useId();
  const { index, kind, command, status, duration_ms, exit_code } = step;
  const shown: ShownStatus = attempts.at(-1)?.cancelled === true ? "cancelled" : status;
  const [tone, word] = shown === "pending" && has_ended ? NOT_RUN : TONES[shown];
  return (
    <li className="step card" id={`s${index}`} data-status={shown}>
      <h3>
        <button
          type="button"
          className="step-head"
          data-row=""
          aria-expanded={is_open}
          aria-controls={body}
          onClick={onToggle}
        >
          <span className="step-number number">{index}</span>
          <span className="step-command">
            <InlineCode text={firstLine(command)} />
          </span>
          <span className="step-facts">
            <span className="muted small">{stepKind(kind).toLowerCase()}</span>
            {exit_code !== null && exit_code !== 0 && shown !== "cancelled" && (
              <span className="small">{`exit ${exit_code}`}</span>
            )}
            <span className="muted small number step-time">
              {duration_ms === null || status === "running" ? "" : duration(duration_ms)}
            </span>
            <Status tone={tone}>{word}</Status>
            <Icon name={is_open ? "down" : "right"} />
          </span>
        </button>
      </h3>
      {is_open && (
        <div className="step-body stack" id={body}>
          <Code text={command} label={`Command of step ${index}`} />
          {attempts.map((attempt, at) => (
            <Attempt
              key={attempt.attempt}
              task_id={task_id}
              attempt={attempt}
              is_only={attempts.length === 1}
              is_last={at === attempts.length - 1}
            />
          ))}
          {status === "running" && <LiveTail index={index} attempt={step.attempt ?? 1} live={live} />}
          {status === "pending" && <p className="muted">{has_ended ? "It was not run." : "It has not begun."}</p>}
        </div>
      )}
    </li>
  );
}

const firstLine = (text: string): string => {
  const [first = "", ...more] = text.split("\n");
  return more.length === 0 ? first : `${first} …`;
};

type LiveTailProps = {
  readonly index: number;
  readonly attempt: number;
  readonly live: ReadonlyMap<string, WrittenText>;
};

const MOST_LINES = 200;

function LiveTail({ index, attempt, live }: LiveTailProps) {
  const found = (["stderr", "stdout"] as const).flatMap((stream) => {
    const text = live.get(liveKey(index, attempt, stream));
    return text === undefined ? [] : [{ stream, ...text }];
  });
  if (found.length === 0) return <div className="live-tail muted">It runs, and has written nothing yet.</div>;
  return found.map(({ stream, text, left_out }) => (
    <Tail key={stream} stream={stream} text={text} left_out={left_out} />
  ));
}

function Tail({ stream, text, left_out }: { readonly stream: string } & WrittenText) {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    if (follows.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  });
  const lines = text.replace(/\n$/, "").split("\n").slice(-MOST_LINES);
  return (
    <div
      className="live-tail"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={`What it writes now (${stream})`}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {left_out > 0 && (
        <p className="output-cut">{`${byteCount(left_out)} left out; all that is kept comes with its end`}</p>
      )}
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of a moving tail has no name of its own
        <div key={at}>{line.split("\t").map(printable).join("\t") || " "}</div>
      ))}
    </div>
  );
}
