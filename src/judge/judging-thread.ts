// The thread that judges, from outside: it is started when it is needed, keeps the process alive only while it judges, and is
// replaced when it has died or hangs.
import { Worker } from "node:worker_threads";
import { own } from "../own-file.ts";
import type { JudgeAnswer, JudgedValue, JudgeOrder, ThreadData } from "./thread.ts";

export type JudgingThread = {
  /** One at a time. Rejects where the judgement throws, or the thread ends before it has answered. */
  readonly ask: (order: JudgeOrder) => Promise<JudgedValue>;
  /** Starts it before it is needed. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
};

/** More may end the whole process (D-252). What is judged takes a quarter of it (D-267). */
const MAX_HEAP_MB = 512;

/** `hang_ms`: far more than the budget of a plan. */
export function createJudgingThread(data: ThreadData, hang_ms: number): JudgingThread {
  let thread: Worker | null = null;
  let asked: PromiseWithResolvers<JudgedValue> | null = null;

  const start = (): Worker => {
    if (thread !== null) return thread;
    const worker = new Worker(new URL(own("./thread.ts"), import.meta.url), {
      workerData: data,
      // What the process was started with is for its main thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const lost = (cause: unknown): void => {
      // An error is followed by the exit, when another thread may judge already.
      if (thread !== worker) return;
      thread = null;
      asked?.reject(new Error("the thread that judges has ended: nothing is allowed", { cause }));
    };
    worker.on("message", (answer: JudgeAnswer) =>
      "error" in answer ? asked?.reject(answer.error) : asked?.resolve(answer),
    );
    worker.on("error", lost);
    worker.on("exit", lost);
    worker.unref();
    thread = worker;
    return worker;
  };

  return {
    start: () => void start(),
    ask: async (order) => {
      const worker = start();
      const asking = Promise.withResolvers<JudgedValue>();
      asked = asking;
      const hangs = setTimeout(() => void worker.terminate(), hang_ms);
      worker.ref();
      try {
        worker.postMessage(order);
        return await asking.promise;
      } finally {
        asked = null;
        clearTimeout(hangs);
        worker.unref();
      }
    },
    close: async () => void (await thread?.terminate()),
  };
}
