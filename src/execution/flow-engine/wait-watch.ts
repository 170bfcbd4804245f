// Watches what a task waits for while its job does not go on: an engine that refuses, or cannot be reached, or has no worker
// free. Each look reports what it met; a wait counts from the second look that meets it, so that one lost response is no news
// (D-270).
import { setTimeout as sleep } from "node:timers/promises";
import type { JobWait } from "../../domain/run-request.ts";
import type { Clock } from "../../ports.ts";
import type { Redact } from "../../redact/find-secrets.ts";
import { type Completion, describeFailure, type EngineAnswer, type EngineApi, type EngineReply } from "./engine-api.ts";

type Met = Pick<JobWait, "on" | "message">;

/** `wait` is null when the last one is over; `tries` counts the looks of that wait. */
export type WaitChange = { readonly job_id: string; readonly wait: JobWait | null; readonly tries: number };

export type WaitWatch = {
  /** Resolves once a change is durable. Null: nothing holds the job up. */
  readonly saw: (met: Met | null) => Promise<void>;
};

/** What submits a job and follows it. */
export type JobMeans = {
  readonly api: EngineApi;
  readonly flow_path: string;
  readonly timing: Timing;
  readonly redact: Redact;
  readonly wait: WaitWatch;
  readonly leaving: () => boolean;
};

/** How often each job was asked about since what it waits for began. */
export type WaitTries = Map<string, number>;

type Deps = {
  readonly clock: Clock;
  readonly tries: WaitTries;
  readonly changed: (change: WaitChange) => Promise<void>;
};

export function createWaitWatch({ clock, tries, changed }: Deps, job_id: string): WaitWatch {
  let met: JobWait | null = null;
  /** Undefined before the first look: an earlier server may have reported a wait that is over since. */
  let reported: JobWait | null | undefined;
  return {
    saw: async (next) => {
      const before = tries.get(job_id) ?? 0;
      if (next === null) {
        tries.delete(job_id);
        met = null;
        if (reported === null) return;
        reported = null;
        return changed({ job_id, wait: null, tries: before });
      }
      const isSame = met?.on === next.on;
      if (!isSame) met = { ...next, since: clock().toISOString() };
      const count = isSame ? before + 1 : 1;
      tries.set(job_id, count);
      if (met === null || count !== 2 || reported?.on === met.on) return;
      reported = met;
      await changed({ job_id, wait: met, tries: count });
    },
  };
}

const MAX_SEEN = 16_384;

const MAX_MESSAGE = 200;

const said = (answer: Exclude<EngineAnswer, { is: "ok" }>, redact: Redact): string => {
  const text = describeFailure(answer).slice(0, MAX_SEEN).replace(/\s+/g, " ").trim();
  return redact(text, { start: 0, end: MAX_MESSAGE });
};

/** What a failed request makes a job wait for. */
export function heldUpBy(answer: EngineAnswer, redact: Redact): Met | null {
  if (answer.is === "ok") return null;
  const isRefused = answer.is === "refused" && answer.status < 500 && answer.status !== 429;
  return isRefused
    ? { on: "engine_refuses", message: `the flow engine refuses the request: ${said(answer, redact)}` }
    : { on: "engine_unavailable", message: `${HOW[answer.is]}: ${said(answer, redact)}` };
}

const HOW = {
  refused: "the flow engine fails",
  unreachable: "the flow engine cannot be reached",
  lost: "no usable answer comes from the flow engine",
  too_large: "no usable answer comes from the flow engine",
} as const;

type View = Awaited<ReturnType<EngineApi["view"]>>;

/** What a job that has not ended waits for, by one look at it. */
export function heldUp(reply: EngineReply<Completion>, view: View, redact: Redact): Met | null {
  if (reply.is === "ok" && reply.value.completed) return null;
  if (view.is === "refused" && view.status === 404)
    return { on: "job_unknown", message: "the flow engine does not know the job" };
  if (reply.is !== "ok" && view.is !== "ok") return heldUpBy(reply, redact);
  const has_begun =
    view.is === "ok" ? view.value.running !== false : reply.is !== "ok" || reply.value["started"] !== false;
  if (has_begun) return null;
  const workers =
    view.is === "ok" && view.value.tag !== undefined ? ` with the tag ${JSON.stringify(view.value.tag)}` : "";
  return {
    on: "queue",
    message: redact(`the job is in the queue of the flow engine, and no worker${workers} has taken it`),
  };
}

export type Timing = {
  /** Between two polls of a job. Each wait is 1.5 times the one before, up to ten times this. */
  readonly poll_ms: number;
  /** For one request, from the first byte to the last. */
  readonly request_ms: number;
  /** How long orch tries to submit a job. */
  readonly submit_ms: number;
  /** How long the engine may not respond about a job before the job counts as lost. */
  readonly lost_ms: number;
  /** The same for an engine that responds but does not know the job. */
  readonly missing_ms: number;
  /** The age up to which orch submits an unknown job again under its id. The engine may have deleted an older one. */
  readonly resubmit_ms: number;
  /** How long a cancelled job may take to end: less than a caller waits for the response (D-109). */
  readonly cancel_ms: number;
};

/**
 * The time limits and intervals of requests to the flow engine. They are measured on a monotonic clock, so that neither the clock
 * of the engine nor the clock of this machine matters.
 */
export const TIMING: Timing = {
  poll_ms: 500,
  request_ms: 30_000,
  submit_ms: 30_000,
  lost_ms: 900_000,
  missing_ms: 30_000,
  resubmit_ms: 600_000,
  cancel_ms: 20_000,
};

export const longer = (pause_ms: number, { poll_ms }: Timing): number => Math.min(pause_ms * 1.5, poll_ms * 10);

const LOOK_MS = 250;

/** Ends early when the signal aborts or the server stops. */
export async function pause(ms: number, signal: AbortSignal, leaving: () => boolean = () => false): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted && !leaving(); left -= LOOK_MS) {
    await sleep(Math.min(left, LOOK_MS), undefined, { signal }).catch(() => undefined);
  }
}
