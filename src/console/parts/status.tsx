// A status by colour, shape and word: none of the three is needed to understand the other two.
import type { TaskSummary } from "../../api/operations/shapes/task-view.ts";

const SHAPES: Readonly<Record<Tone, string>> = {
  ok: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.2 8.2 7.2 10.2 10.9 6",
  ask: "M8 1.5 14.5 8 8 14.5 1.5 8zM8 5.2v3.3M8 10.8h.01",
  bad: "M2.5 2.5h11v11h-11zM5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6",
  stop: "M5.3 1.8h5.4l3.5 3.5v5.4l-3.5 3.5H5.3l-3.5-3.5V5.3zM5 8h6",
  busy: "M8 2a6 6 0 1 1-5.6 3.9",
  idle: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z",
  cancelled: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM4.2 11.8l7.600-7.600",
};

export const Shape = ({ tone }: { readonly tone: Tone }) => (
  <svg className={tone === "busy" ? "icon turning" : "icon"} viewBox="0 0 16 16" aria-hidden="true">
    <path d={SHAPES[tone]} />
  </svg>
);

export const Status = ({ tone, children }: { readonly tone: Tone; readonly children: string }) => (
  <span className="status" data-tone={tone}>
    <Shape tone={tone} />
    {children}
  </span>
);

export const Tag = ({ tone, children }: { readonly tone: Tone; readonly children: React.ReactNode }) => (
  <span className="tag" data-tone={tone}>
    {children}
  </span>
);

type TaskStatus = TaskSummary["status"];

const TASK_TONES: Readonly<Record<TaskStatus, Tone>> = {
  accepted: "idle",
  running: "busy",
  need_input: "ask",
  need_approval: "ask",
  ok: "ok",
  failed: "bad",
  blocked: "stop",
  cancelled: "cancelled",
};

export const TASK_WORDS: Readonly<Record<TaskStatus, string>> = {
  accepted: "Accepted",
  running: "Running",
  need_input: "Needs input",
  need_approval: "Needs approval",
  ok: "Done",
  failed: "Failed",
  blocked: "Blocked",
  cancelled: "Cancelled",
};

export const TaskStatusMark = ({ status }: { readonly status: TaskStatus }) => (
  <Status tone={TASK_TONES[status]}>{TASK_WORDS[status]}</Status>
);

const STATE_TONES: Readonly<Record<string, Tone>> = {
  ...TASK_TONES,
  passed: "ok",
  approved: "ok",
  rejected: "bad",
  pending: "ask",
  outcome_unknown: "ask",
};

/** Of the state of a line; undefined for one without a colour of its own. */
export const toneOfState = (state: string | undefined): Tone | undefined => STATE_TONES[state ?? ""];

export type Tone = "ok" | "ask" | "bad" | "stop" | "busy" | "idle" | "cancelled";
