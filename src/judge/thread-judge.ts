// The judge in a thread of its own: the event loop goes on, at any cost of a text. A judgement without an answer is an error, and
// never a permission.
import type { Judge } from "../ports.ts";
import { nameOf } from "./judgements.ts";
import { createJudgingThread, type JudgingThread } from "./judging-thread.ts";
import { type Answering, createKeptJudgements } from "./kept-judgements.ts";
import { createLanes, type Lane, type LaneLimits } from "./lanes.ts";
import type { JudgedValue, ThreadData } from "./thread.ts";

export type Judges = Pick<JudgingThread, "start" | "close"> & {
  readonly ofTasks: Judge;
  /** Refused as busy where too many wait, or one for too long. */
  readonly ofRequests: Judge;
};

export type JudgeLimits = LaneLimits & { readonly hang_ms: number };

const LIMITS: JudgeLimits = { hang_ms: 60_000, patience_ms: 10_000, max_waiting: 100 };

export function createJudges(data: ThreadData, limits: JudgeLimits = LIMITS): Judges {
  const lanes = createLanes(limits);
  const thread = createJudgingThread(data, limits.hang_ms);
  let isJudging = false;

  const judgeAll = async (): Promise<void> => {
    if (isJudging) return;
    isJudging = true;
    for (let one = lanes.take(); one !== undefined; one = lanes.take())
      await thread.ask(one.order).then(one.resolve, one.reject);
    isJudging = false;
  };

  const judgeIn =
    (lane: Lane): Answering =>
    (order) => {
      const { promise, resolve, reject } = Promise.withResolvers<JudgedValue>();
      lanes.add(lane, { order, resolve, reject });
      void judgeAll();
      return promise;
    };

  const keeping = createKeptJudgements(nameOf);
  return {
    ofTasks: keeping(judgeIn("task")),
    ofRequests: keeping(judgeIn("request")),
    start: thread.start,
    close: thread.close,
  };
}
