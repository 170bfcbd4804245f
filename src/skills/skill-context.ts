// The context of a skill handler (SkillContext in src/ports.ts), under policy and with its journal. To suspend a handler,
// orch never resolves the call it awaits. The handler cannot catch or ignore this, and nothing it does afterwards is recorded.
// When the task goes on, the handler restarts from its first line.
import type { TaskContract } from "../domain/contract.ts";
import { createMutex } from "../domain/mutex.ts";
import { ABANDONED, type OfferedContext } from "../ports.ts";
import type { Thread } from "../tasks/thread.ts";
import type { Handling, SkillDeps, Suspension } from "./handling.ts";
import { skillApprovals } from "./skill-approvals.ts";
import { skillCalls } from "./skill-calls.ts";
import { skillSteps } from "./skill-steps.ts";

/** How long a handler may go on after its task was cancelled, and after its server began to stop. */
const GRACE_MS = 7_000;
const STOPPING_MS = 1_000;
const LAST_WORDS_MS = 500;

/** Null when the handler of a cancelled task does not end in time (D-266). */
export function lastWords<T>(ended: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  setTimeout(resolve, LAST_WORDS_MS, null).unref();
  return Promise.race([ended, late]);
}

export function createSkillContext(deps: SkillDeps, thread: Thread, contract: TaskContract) {
  const suspending = Promise.withResolvers<Suspension>();
  const broken = Promise.withResolvers<void>();
  let suspension: Suspension | null = null;
  let isOver = false;
  let isSealed = false;
  const mutex = createMutex();

  const suspend = (reason: Suspension): Promise<never> => {
    // A journal that fails outranks every other reason: nothing can go on without it.
    if (suspension === null || reason.is === "broken") suspension = reason;
    suspending.resolve(suspension);
    if (reason.is === "broken") broken.resolve();
    return never();
  };
  // A failed use keeps the mutex: nothing else uses a broken journal.
  const serialize = <T>(work: () => Promise<T> | T): Promise<T> =>
    mutex.run(async () => {
      try {
        return await work();
      } catch (error) {
        return suspend({ is: "broken", error });
      }
    });
  const overdue = whenOverdue(thread.cancel, () => void suspend({ is: thread.draining() ? "suspended" : "cancelled" }));
  const state = { isSuspended: () => suspension !== null, isSealed: () => isSealed };
  const handling: Handling = { ...deps, ...state, thread, contract, suspend, serialize };
  const approvals = skillApprovals(handling);
  const steps = skillSteps(handling, approvals);
  const calls = skillCalls(handling, steps.current);
  const progress = skillProgress(handling);

  /** Nothing begins after the handler's end. An unobserved rejection must not end the server. */
  const offered =
    <A extends unknown[], R>(ask: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> => {
      const result = isOver && steps.current() === undefined ? never<R>() : ask(...given);
      result.catch(() => undefined);
      return result;
    };
  const outside = outsideOf(() => steps.current() !== undefined);

  const ctx: OfferedContext = {
    // A copy: the handler may change it, and policy judges by what was submitted.
    contract: structuredClone(contract),
    clock: deps.clock,
    signal: thread.cancel,
    call: offered(calls.call),
    listTools: offered(calls.listTools),
    step: offered(steps.step),
    progress: (...reported) => {
      if (!isOver) progress(...reported);
    },
    approvals: { request: offered(outside(approvals.request)), wait: offered(outside(approvals.wait)) },
  };
  /** Resolves once all steps have ended or their grace is over, with the suspension if there is one. */
  const settled = async (): Promise<{ readonly suspension: Suspension | null; readonly isHung: boolean }> => {
    isOver = true;
    const recorded = steps.ended().then(() => serialize(() => thread.journal.flush()));
    await Promise.race([recorded, broken.promise, overdue.passed]);
    isSealed = true;
    overdue.forget();
    return { suspension, isHung: steps.running() > 0 };
  };
  return { ctx, suspended: suspending.promise, settled };
}

/** A step always runs to its end, and a wait for an approval suspends the handler: a step cannot contain such a wait. */
const outsideOf =
  (isInside: () => boolean) =>
  <In, Out>(ask: (given: In) => Promise<Out>) =>
  async (given: In): Promise<Out> => {
    if (isInside()) throw new Error("an approval is requested inside a step; request it before the step");
    return ask(given);
  };

const never = <T = never>(): Promise<T> => new Promise(() => undefined);

function whenOverdue(signal: AbortSignal, onOverdue: () => void) {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const { promise: forgotten, resolve: forget } = Promise.withResolvers<void>();
  const count = () => {
    const timer = setTimeout(pass, signal.reason === ABANDONED ? STOPPING_MS : GRACE_MS).unref();
    void forgotten.then(() => clearTimeout(timer));
  };
  const pass = () => {
    onOverdue();
    resolve();
  };
  if (signal.aborted) count();
  else signal.addEventListener("abort", count, { once: true });
  return { passed, forget };
}

const EVERY_MS = 1_000;
const MAX_TEXT = 1_024;

function skillProgress({ thread, serialize, redact, isSuspended }: Handling) {
  let recorded_at = Number.NEGATIVE_INFINITY;
  return (done: number, total: number, text: string): void => {
    const now = performance.now();
    if (isSuspended() || (now - recorded_at < EVERY_MS && done < total)) return;
    recorded_at = now;
    const body = { done: whole(done), total: whole(total), text: redact(text).slice(0, MAX_TEXT) };
    void serialize(() => thread.journal.commit([{ kind: "skill_progressed", body }]));
  };
}

const whole = (count: number): number => (Number.isFinite(count) && count > 0 ? count : 0);
