// Starts what submits the contracts of schedules: as every other caller does, and at the rate of one token.
import type { Change } from "../../domain/change.ts";
import type { SentContract } from "../../domain/contract.ts";
import { createBuckets } from "../../domain/rate.ts";
import { targetSignature } from "../../domain/target.ts";
import { explain } from "../../operations/shapes/explain.ts";
import { submitTask } from "../../operations/shapes/tasks.ts";
import { hasLostProof } from "../../tasks/active-sop.ts";
import type { FeatureWork, RunningServer } from "../feature.ts";
import { createScheduler } from "./scheduler.ts";

const SET_BACK = "its procedure was set back, and waits for its approval";

export function startSchedules(server: RunningServer): FeatureWork {
  const { config, store, clock, commits, call } = server;
  const takeTurn = createBuckets({ amount: config.submits_per_minute, per_ms: 60_000 }, clock);
  const scheduler = createScheduler({
    ...server,
    turn: () => takeTurn("schedules"),
    submit: (contract, schedule) => call(submitTask.name, contract, `schedule ${schedule}`),
    obstacle: async (contract: SentContract, schedule) => {
      const { would, why, steps } = explain.output.parse(
        await call(explain.name, { contract }, `schedule ${schedule}`),
      );
      // It will be in use again, or replaced: a task that asks to be taught now would hold up those after it.
      const key = { intent: contract.intent, target_signature: targetSignature(contract.target) };
      if (would === "need_input" && (await hasLostProof(store, key))) return SET_BACK;
      if (would !== "block") return null;
      const finding = steps.flatMap(({ findings }) => findings).find(({ verdict }) => verdict === "block");
      return why ?? finding?.reason ?? "policy blocks it; explain says why";
    },
  });
  commits.subscribe({
    onCommitted: ({ changes = [] }) => {
      if (changes.some(setsTime)) void scheduler.arm();
    },
  });
  return {
    after_recovery: { what: "the schedules", run: scheduler.arm },
    arm: scheduler.arm,
    stop: scheduler.stop,
  };
}

/** A schedule was added or resumed: it may be due before the others. */
const setsTime = (change: Change): boolean =>
  change.on === "schedule_created" || (change.on === "schedule" && change.set.status === "active");
