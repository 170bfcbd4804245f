// What a skill handler is given (spec section 2, Skill handler; src/ports.ts, SkillContext), under policy and with its journal.
// A handler that has to be left is left where it stands: what it waits for never comes, so it can neither overlook that nor
// act on it, and it starts again from its first line when the task goes on.
import type { TaskContract } from "../../src/domain/contract.ts";
import type { SkillContext, Thread } from "../../src/ports.ts";
import type { PipelineDeps } from "../nodes/pipeline-deps.ts";
import type { Departure, Handling } from "./handling.ts";
import { skillApprovals } from "./skill-approvals.ts";
import { skillCalls } from "./skill-calls.ts";
import { skillProgress } from "./skill-progress.ts";
import { skillSteps } from "./skill-steps.ts";

export function createSkillContext(deps: PipelineDeps, thread: Thread, contract: TaskContract) {
  const left = Promise.withResolvers<Departure>();
  const broken = Promise.withResolvers<void>();
  let departure: Departure | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const leave = (why: Departure): Promise<never> => {
    // A journal that fails is the last word: nothing else could be carried on.
    if (departure === null || why.is === "broken") departure = why;
    left.resolve(departure);
    if (why.is === "broken") broken.resolve();
    return new Promise<never>(() => undefined);
  };
  const inTurn = <T>(work: () => Promise<T> | T): Promise<T> => {
    const turn = last.then(work).catch((error: unknown) => leave({ is: "broken", error }));
    last = turn;
    return turn;
  };
  const handling: Handling = { ...deps, thread, contract, leave, inTurn, hasLeft: () => departure !== null };
  const approvals = skillApprovals(handling);
  const steps = skillSteps(handling, approvals);
  const progress = skillProgress(handling);

  const ctx: SkillContext = {
    contract,
    clock: deps.clock,
    signal: thread.cancel,
    ...skillCalls(handling, steps.current),
    step: steps.step,
    progress,
    approvals: { request: steps.outside(approvals.request), wait: steps.outside(approvals.wait) },
  };
  /** Resolves once every step that has begun has ended, with the reason to leave if there is one by then. */
  const settled = async (): Promise<Departure | null> => {
    await Promise.race([steps.recorded().then(() => inTurn(() => thread.journal.commit([]))), broken.promise]);
    await steps.ended();
    return departure;
  };
  return { ctx, departed: left.promise, settled };
}
