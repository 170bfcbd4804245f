// Derives the marks of a task's timeline from what an event says of waits and of the trace: where a wait, a step or a question to a model
// begins or ends.
import { z } from "zod";
import type { TraceBegin, TraceChat, TraceEnd, TraceMark } from "./trace-mark.ts";

const Mark = {
  lane: z.enum(["queue", "people", "steps", "model"]),
  at: z.iso.datetime(),
  step: z.int().min(0).optional().describe("in the lane of the steps"),
  attempt: z.int().min(1).optional(),
};

/** An end closes the last begin of its lane and step that is open; a begin without a step ends what its lane had open. */
export const LaneMark = z.discriminatedUnion("mark", [
  z.strictObject({ mark: z.literal("begin"), ...Mark, label: z.string().describe("for people") }),
  z.strictObject({ mark: z.literal("end"), ...Mark, ended: z.enum(["done", "failed", "cancelled"]) }),
]);
export type LaneMark = z.infer<typeof LaneMark>;

type WaitLane = "queue" | "people";

/** Which waits of a task are over, and what it waits for from now on. */
export type EventWaits = {
  readonly over?: readonly WaitLane[];
  readonly begun?: { readonly for: WaitLane; readonly label: string };
};

/** What the kind of an event says of it. */
export type SaidOfEvent = {
  readonly at: string;
  readonly waits?: EventWaits | undefined;
  readonly trace?: TraceMark | undefined;
};

/** `is_cancelled`: an event before it has asked for the end of the task, and a step that fails now was ended by that. */
export function timelineOf({ at, waits = {}, trace = {} }: SaidOfEvent, is_cancelled: boolean): LaneMark[] {
  const { over = [], begun } = waits;
  const { begin, end, chat } = trace;
  return [
    ...over.map((lane): LaneMark => ({ mark: "end", lane, at, ended: "done" })),
    ...(begun === undefined ? [] : [{ mark: "begin", lane: begun.for, at, label: begun.label } as const]),
    ...(begin === undefined ? [] : [beginOfStep(begin, at)]),
    ...(end === undefined ? [] : [endOfStep(end, at, is_cancelled)]),
    ...(chat === undefined ? [] : question(chat, at)),
  ];
}

const beginOfStep = ({ index, attempt, label = `step ${index}` }: TraceBegin, at: string): LaneMark => ({
  mark: "begin",
  lane: "steps",
  at,
  step: index,
  attempt,
  label,
});

function endOfStep(end: TraceEnd, at: string, is_cancelled: boolean): LaneMark {
  const { index, attempt, from_ms, duration_ms, failed, attributes } = end;
  // What became of a step whose outcome is unknown, nothing here says.
  const has_failed = (attributes?.step_status ?? "failed") === "failed";
  return {
    mark: "end",
    lane: "steps",
    at: from_ms === undefined ? at : timeOf(from_ms + duration_ms, at),
    step: index,
    attempt,
    ended: failed ? (is_cancelled && has_failed ? "cancelled" : "failed") : "done",
  };
}

/** Also without a usable reply it is answered. */
const question = ({ label = "asked the model", latency_ms }: TraceChat, at: string): LaneMark[] => [
  { mark: "begin", lane: "model", at: timeOf(Date.parse(at) - latency_ms, at), label },
  { mark: "end", lane: "model", at, ended: "done" },
];

const LATEST_MS = Date.UTC(9999, 11, 31);

/** `otherwise` where there is no such time. */
const timeOf = (ms: number, otherwise: string): string =>
  ms >= 0 && ms <= LATEST_MS ? new Date(ms).toISOString() : otherwise;
