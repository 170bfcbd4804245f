// What a skill handler is given (spec section 2, Skill handler; src/ports.ts, SkillContext), under policy and with its journal.
// A handler that has to be left is left where it stands: what it waits for never comes, so it can neither overlook that nor
// act on it, and it starts again from its first line when the task goes on.
import type { TaskContract } from "../domain/contract.ts";
import { createMutex } from "../domain/mutex.ts";
import { ABANDONED, type SkillContext } from "../ports.ts";
import type { Thread } from "../tasks/thread.ts";
import type { Departure, Handling, SkillDeps } from "./handling.ts";
import { skillApprovals } from "./skill-approvals.ts";
import { skillCalls } from "./skill-calls.ts";
import { skillProgress } from "./skill-progress.ts";
import { skillSteps } from "./skill-steps.ts";

/** Who does not stop is given this long when the task is cancelled, and this long when the server leaves. */
const GRACE_MS = 7_000;
const LAST_MS = 1_000;

export function createSkillContext(deps: SkillDeps, thread: Thread, contract: TaskContract) {
  const left = Promise.withResolvers<Departure>();
  const broken = Promise.withResolvers<void>();
  let departure: Departure | null = null;
  let isOver = false;
  let isSealed = false;
  const mutex = createMutex();

  const leave = (why: Departure): Promise<never> => {
    // A journal that fails is the last word: nothing else could be carried on.
    if (departure === null || why.is === "broken") departure = why;
    left.resolve(departure);
    if (why.is === "broken") broken.resolve();
    return never();
  };
  // What fails keeps the mutex: nothing else uses a journal that is broken.
  const inTurn = <T>(work: () => Promise<T> | T): Promise<T> =>
    mutex.run(async () => {
      try {
        return await work();
      } catch (error) {
        return leave({ is: "broken", error });
      }
    });
  const overdue = whenOverdue(thread.cancel, () => void leave({ is: thread.draining() ? "suspended" : "cancelled" }));
  const state = { hasLeft: () => departure !== null, isSealed: () => isSealed };
  const handling: Handling = { ...deps, ...state, thread, contract, leave, inTurn };
  const approvals = skillApprovals(handling);
  const steps = skillSteps(handling, approvals);
  const calls = skillCalls(handling, steps.current);
  const progress = skillProgress(handling);

  /** Nothing begins behind the handler's end. A promise that fails and is not looked at is no reason to end the server. */
  const offered =
    <A extends unknown[], R>(ask: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> => {
      const answer = isOver && steps.current() === undefined ? never<R>() : ask(...given);
      answer.catch(() => undefined);
      return answer;
    };
  const outside = outsideOf(() => steps.current() !== undefined);

  const ctx: SkillContext = {
    // Its own: whatever it does to it, policy judges by what was submitted.
    contract: structuredClone(contract),
    clock: deps.clock,
    signal: thread.cancel,
    call: offered(calls.call),
    listTools: offered(calls.listTools),
    step: offered(steps.step),
    progress: (...told) => {
      if (!isOver) progress(...told);
    },
    approvals: { request: offered(outside(approvals.request)), wait: offered(outside(approvals.wait)) },
  };
  /** Resolves once every step has ended that ends, with the reason to leave if there is one by then. */
  const settled = async (): Promise<{ readonly departure: Departure | null; readonly isHung: boolean }> => {
    isOver = true;
    const recorded = steps.ended().then(() => inTurn(() => thread.journal.commit([])));
    await Promise.race([recorded, broken.promise, overdue.passed]);
    isSealed = true;
    overdue.forget();
    return { departure, isHung: steps.running() > 0 };
  };
  return { ctx, departed: left.promise, settled };
}

/** A step is seen to its end, and who waits for an answer is left: the one cannot stand in the other. */
const outsideOf =
  (isInside: () => boolean) =>
  <In, Out>(ask: (given: In) => Promise<Out>) =>
  async (given: In): Promise<Out> => {
    if (isInside()) throw new Error("an approval stands inside a step; ask before the step");
    return ask(given);
  };

const never = <T = never>(): Promise<T> => new Promise(() => undefined);

function whenOverdue(signal: AbortSignal, tell: () => void) {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const { promise: forgotten, resolve: forget } = Promise.withResolvers<void>();
  const count = () => {
    const timer = setTimeout(pass, signal.reason === ABANDONED ? LAST_MS : GRACE_MS).unref();
    void forgotten.then(() => clearTimeout(timer));
  };
  const pass = () => {
    tell();
    resolve();
  };
  if (signal.aborted) count();
  else signal.addEventListener("abort", count, { once: true });
  return { passed, forget };
}
