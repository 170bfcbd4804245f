// A step of a task: its command, how each attempt of it ended, and what it wrote or writes now.
import { useId } from "react";
import type { WrittenText } from "../../live/use-journal.ts";
import { Code, InlineCode } from "../../parts/code.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Status } from "../../parts/status.tsx";
import { duration } from "../../parts/text.ts";
import type { Tone } from "../../parts/tone.ts";
import type { OperationAnswer } from "../../typed-operations.ts";
import { Attempt } from "./attempt.tsx";
import { LiveTail } from "./live-tail.tsx";
import type { StepAttempt } from "./run-of.ts";

type StepView = OperationAnswer<"get_task">["steps"][number];

type Props = {
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

export function Step({ task_id, step, attempts, live, is_open, onToggle, has_ended }: Props) {
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
            <span className="muted small">{KINDS[kind] ?? kind}</span>
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

const KINDS: Readonly<Record<string, string>> = { cmd: "command", check: "check", wait: "wait", mcp_call: "tool call" };

const firstLine = (text: string): string => {
  const [first = "", ...more] = text.split("\n");
  return more.length === 0 ? first : `${first} …`;
};
