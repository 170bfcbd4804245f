// What submits the contracts of schedules: the operations, called as by every other caller, at the rate of one token.
import type { Config } from "../config/config.ts";
import type { SentContract } from "../domain/contract.ts";
import type { TaskHolds } from "../domain/hold.ts";
import { targetSignature } from "../domain/target.ts";
import { createFreezes } from "../features/freeze/in-force.ts";
import { createScheduler, type Scheduler } from "../features/schedules/scheduler.ts";
import { createBuckets } from "../http/guards.ts";
import type { Log } from "../log/log.ts";
import { type AnyOperation, callOperation } from "../operations/operation.ts";
import { explain } from "../operations/shapes/explain.ts";
import { submitTask } from "../operations/shapes/tasks.ts";
import type { Clock, Store, Timer } from "../ports.ts";
import { hasLostProof } from "../tasks/active-sop.ts";

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly task_holds: Pick<TaskHolds, "holdOn">;
  readonly log: Pick<Log, "error">;
};

const SET_BACK = "its procedure was set back, and waits for its approval";

/** `operations` are known once it is called. */
export function composeScheduler(
  { submits_per_minute }: Pick<Config, "submits_per_minute">,
  parts: Parts,
  operations: () => readonly AnyOperation[],
): Scheduler {
  const takeTurn = createBuckets({ amount: submits_per_minute, per_ms: 60_000 }, parts.clock);
  const { signal } = new AbortController();
  const call = async (name: string, input: unknown, schedule: string): Promise<unknown> => {
    const operation = operations().find((one) => one.name === name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    // What a caller may not send was refused when the schedule was added.
    const { wrongHere: _wrong, ...accepted } = operation;
    return callOperation(accepted, input, { token_id: `schedule ${schedule}`, signal });
  };
  return createScheduler({
    ...parts,
    turn: () => takeTurn("schedules"),
    submit: (contract, schedule) => call(submitTask.name, contract, schedule),
    obstacle: async (contract: SentContract, schedule) => {
      const { would, why, steps } = explain.output.parse(await call(explain.name, { contract }, schedule));
      // It will be in use again, or replaced: a task that asks to be taught now would hold up those after it.
      const key = { intent: contract.intent, target_signature: targetSignature(contract.target) };
      if (would === "need_input" && (await hasLostProof(parts.store, key))) return SET_BACK;
      if (would !== "block") return null;
      const finding = steps.flatMap(({ findings }) => findings).find(({ verdict }) => verdict === "block");
      return why ?? finding?.reason ?? "policy blocks it; explain says why";
    },
  });
}

// What is frozen, and what becomes of it once it is not.

type FreezeParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Dispatches what was held. */
  readonly release: () => Promise<void>;
};

export const composeFreezes = ({ freeze_windows }: Config, { store, clock, log, release }: FreezeParts): TaskHolds =>
  createFreezes({
    store,
    clock,
    windows: freeze_windows,
    onEased: () =>
      void release().catch((err: unknown) => log.error({ err }, "what was held is looked for again in a few seconds")),
  });
