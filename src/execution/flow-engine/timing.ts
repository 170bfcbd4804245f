// How long the flow engine is waited for, and how often it is asked. Measured on a clock that is never set: neither the
// engine's clock nor ours has a say.
import { setTimeout as sleep } from "node:timers/promises";

export type Timing = {
  /** Between two looks at a job; each wait is half as long again as the one before, up to ten times this. */
  readonly poll_ms: number;
  /** For one request, from the first byte to the last. */
  readonly request_ms: number;
  /** How long a job is tried to be submitted. */
  readonly submit_ms: number;
  /** How long nothing may be heard of a job before it is given up as lost. */
  readonly lost_ms: number;
  /** The same where the engine answers, and does not know the job. */
  readonly missing_ms: number;
  /** How old a job that the engine does not know may be to be submitted under its id: it may have been deleted since. */
  readonly resubmit_ms: number;
  /** How long a cancelled job has to end: less than a caller waits for the answer. */
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

/** Ends early when the signal aborts, or the server leaves. */
export async function pause(ms: number, signal: AbortSignal, leaving: () => boolean = () => false): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted && !leaving(); left -= LOOK_MS) {
    await sleep(Math.min(left, LOOK_MS), undefined, { signal }).catch(() => undefined);
  }
}
