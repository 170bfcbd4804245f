// Judges in a thread of its own, with lanes of what waits and what was judged last: the event loop goes on, at any cost of a
// text. A judgement without an answer is an error, and never a permission.
import { deserialize, serialize } from "node:v8";
import { Worker } from "node:worker_threads";
import { OrchError } from "../domain/errors.ts";
import { type Json, redactedJson } from "../domain/json.ts";
import { examinePlan, type JudgedPlan, type Plan } from "../engine/policy/judge-plan.ts";
import { own } from "../own-file.ts";
import type { Judge } from "../ports.ts";
import { nameOf } from "./judgements.ts";
import type { JudgeAnswer, JudgedValue, JudgeOrder, ThreadData } from "./thread.ts";

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

export type WaitingOrder = {
  readonly order: JudgeOrder;
  readonly resolve: (value: JudgedValue) => void;
  readonly reject: (error: unknown) => void;
};

type Lane = "task" | "request";

type LaneLimits = { readonly patience_ms: number; readonly max_waiting: number };

const OTHER = { task: "request", request: "task" } as const;

const busy = (): OrchError =>
  new OrchError("busy", "Other texts are being judged. Nothing was done; send the same request again in some seconds.");

/**
 * The judgements that wait for the thread: those of tasks and those of requests, served in turn, so that neither waits for more
 * than one of the other. A request that waits for too long is refused and may come again; a task waits.
 */
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

/** What a thread does with an order. */
export type Answering = (order: JudgeOrder) => Promise<JudgedValue>;

const MAX_KEPT = 256;
/** Of what was given and of the answer, each. */
const MAX_BYTES = 32 * 1024;

/**
 * Keeps what was judged last: a judgement is pure, and a plan is judged before its approval and again before it runs. What the
 * time has cut off may be judged further the next time, so it is not kept (D-280). `nameOf` distinguishes judgements. The answers
 * are copies: no caller changes that of another.
 */
export function createKeptJudgements(nameOf: (judgement: { readonly name: string }) => string) {
  const kept = new Map<string, Buffer>();
  const keep = (key: string, answer: Buffer): void => {
    if (answer.length > MAX_BYTES) return;
    kept.set(key, answer);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  };

  const judged = async (answering: Answering, order: JudgeOrder): Promise<Buffer> => {
    const key = keyOf(order);
    const known = key === null ? undefined : kept.get(key);
    if (known !== undefined) return known;
    const { value, is_cut } = await answering(order);
    const answer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (key !== null && !is_cut) keep(key, answer);
    return answer;
  };

  return (answering: Answering): Judge =>
    (judgement, ...given) =>
      judged(answering, { name: nameOf(judgement), given }).then(deserialize);
}

/** All that was given is in it. Null where that is too long, or cannot be copied: the judge refuses that itself. */
function keyOf({ name, given }: JudgeOrder): string | null {
  try {
    const bytes = serialize(given);
    return bytes.length > MAX_BYTES ? null : `${name} ${bytes.toString("latin1")}`;
  } catch {
    return null;
  }
}

type JudgingThread = {
  /** One at a time. Rejects where the judgement throws, or the thread ends before it has answered. */
  readonly ask: (order: JudgeOrder) => Promise<JudgedValue>;
  /** Starts it before it is needed. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
};

/** More may end the whole process (D-252). What is judged takes a quarter of it (D-267). */
const MAX_HEAP_MB = 512;

/**
 * The thread that judges, from outside: it is started when it is needed, keeps the process alive only while it judges, and is
 * replaced when it has died or hangs. `hang_ms`: far more than the budget of a plan.
 */
function createJudgingThread(data: ThreadData, hang_ms: number): JudgingThread {
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

type Redact = (text: string) => string;

type Both = Pick<Judges, "ofTasks" | "ofRequests">;

export const redactedJudges = ({ ofTasks, ofRequests }: Both, redact: Redact): Both => ({
  ofTasks: redactedJudge(ofTasks, redact),
  ofRequests: redactedJudge(ofRequests, redact),
});

const redactedJudge =
  (judge: Judge, redact: Redact): Judge =>
  async (judgement, ...given) => {
    const judged = await judge(judgement, ...given);
    // Only this judgement reads texts of files.
    if ((judgement as unknown) !== examinePlan) return judged;
    const [plan] = given as unknown as [Plan];
    return plan.context.scripts?.size ? (redacted(judged as JudgedPlan, redact) as typeof judged) : judged;
  };

function redacted({ findings, steps }: JudgedPlan, redact: Redact): JudgedPlan {
  const quoted = <T>(value: T): T => redactedJson(redact, value as Json) as T;
  return {
    findings: quoted(findings),
    // The texts are compared with what the files hold when the step starts.
    steps: steps.map(({ known, uses, consequences, saw }) => ({
      known,
      uses: { ...uses, uncovered: quoted(uses.uncovered) },
      consequences: quoted(consequences),
      saw: quoted(saw),
    })),
  };
}
