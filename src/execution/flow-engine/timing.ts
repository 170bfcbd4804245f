// The time limits and intervals of requests to the flow engine. They are measured on a monotonic clock, so that neither
// the clock of the engine nor the clock of this machine matters.
import { setTimeout as sleep } from "node:timers/promises";

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
