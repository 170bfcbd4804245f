// The judgements that wait for the thread: those of tasks and those of requests, served in turn, so that neither waits for more than
// one of the other. A request that waits for too long is refused and may come again; a task waits.
import { OrchError } from "../domain/errors.ts";
import type { JudgedValue, JudgeOrder } from "./thread.ts";

export type WaitingOrder = {
  readonly order: JudgeOrder;
  readonly resolve: (value: JudgedValue) => void;
  readonly reject: (error: unknown) => void;
};

export type Lane = "task" | "request";

export type LaneLimits = { readonly patience_ms: number; readonly max_waiting: number };

const OTHER = { task: "request", request: "task" } as const;

const busy = (): OrchError =>
  new OrchError("busy", "Other texts are being judged. Nothing was done; send the same request again in some seconds.");

export function createLanes({ patience_ms, max_waiting }: LaneLimits) {
  const waiting = { task: new Set<WaitingOrder>(), request: new Set<WaitingOrder>() };
  const timers = new Map<WaitingOrder, NodeJS.Timeout>();
  let last: Lane = "request";
  const remove = (lane: Lane, one: WaitingOrder): void => {
    waiting[lane].delete(one);
    clearTimeout(timers.get(one));
    timers.delete(one);
  };
  return {
    add: (lane: Lane, one: WaitingOrder): void => {
      const refuse = () => {
        remove(lane, one);
        one.reject(busy());
      };
      waiting[lane].add(one);
      if (lane === "task") return;
      if (waiting.request.size > max_waiting) refuse();
      else timers.set(one, setTimeout(refuse, patience_ms).unref());
    },
    /** The next one, which does not wait any more. */
    take: (): WaitingOrder | undefined => {
      const lane = waiting[OTHER[last]].size > 0 ? OTHER[last] : last;
      const [one] = waiting[lane];
      if (one === undefined) return undefined;
      last = lane;
      remove(lane, one);
      return one;
    },
  };
}
