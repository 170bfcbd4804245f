// What a task waits for while its job does not go on: an engine that refuses, or cannot be reached, or has no worker free. Each
// look reports what it met; a wait counts from the second look that meets it, so that one lost response is no news (D-270).
import type { JobWait } from "../../domain/job.ts";
import type { Clock } from "../../ports.ts";
import type { Redact } from "../../redact/redact.ts";
import { type Completion, describeFailure, type EngineApi, type EngineReply } from "./engine-api.ts";
import type { EngineAnswer } from "./exchange.ts";

type Met = Pick<JobWait, "on" | "message">;

/** `wait` is null when the last one is over; `tries` counts the looks of that wait. */
export type WaitChange = { readonly job_id: string; readonly wait: JobWait | null; readonly tries: number };

export type WaitWatch = {
  /** Resolves once a change is durable. Null: nothing holds the job up. */
  readonly saw: (met: Met | null) => Promise<void>;
  /** No further look follows. */
  readonly close: () => void;
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
    close: () => void tries.delete(job_id),
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
