// Approvals expire without a decision, and expiry means rejected (D-027). One timer serves all of them: it is set to the next
// one that is due, so that any number of waiting approvals costs nothing.

import { expire } from "../../api/operations/decide.ts";
import type { Approval } from "../../domain/approval.ts";
import type { Clock, Servers, Store, Timer } from "../../ports.ts";
import { expiryClock } from "../tasks/approval-record.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Promotions } from "./promotions.ts";

type Deps = {
  readonly store: Pick<Store, "expiringApprovals">;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly expire: (approval: Approval) => Promise<unknown>;
  readonly log: { error(details: object, message: string): void };
};

export type Expiry = {
  /** Rejects what is due and sets the timer for the next one. Call it at start and after an approval was requested. */
  readonly arm: () => Promise<void>;
  readonly stop: () => void;
};

/** A longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const RETRY_MS = 30_000;

export function createExpiry({ store, clock, timer, expire, log }: Deps): Expiry {
  let unset: () => void = () => undefined;
  let stopped = false;

  const wakeIn = (ms: number): void => {
    if (stopped) return;
    unset();
    unset = timer(() => void arm(), Math.min(Math.max(ms, 1), LONGEST_TIMER_MS));
  };

  /** An approval that cannot be expired does not delay the others. */
  const tryToExpire = (approval: Approval): Promise<boolean> =>
    expire(approval).then(
      () => true,
      (error: unknown) => {
        log.error({ approval_id: approval.approval_id, err: error }, "an approval could not be expired; trying again");
        return false;
      },
    );

  async function arm(): Promise<void> {
    if (stopped) return;
    try {
      const { due, next } = await store.expiringApprovals(clock().toISOString());
      let settled = true;
      for (const approval of due) settled = (await tryToExpire(approval)) && settled;
      const wait = next === null ? LONGEST_TIMER_MS : new Date(next).getTime() - clock().getTime();
      if (!settled) wakeIn(Math.min(wait, RETRY_MS));
      else if (next !== null) wakeIn(wait);
    } catch (error) {
      log.error({ err: error }, "approvals could not be expired; trying again");
      wakeIn(RETRY_MS);
    }
  }

  return {
    arm,
    stop: () => {
      stopped = true;
      unset();
    },
  };
}

type Expiring = {
  readonly store: Store;
  readonly clock: Clock;
  readonly servers: Pick<Servers, "aheadMs">;
  readonly timer: Timer;
  readonly dispatcher: Dispatcher;
  readonly promotions: Promotions;
  readonly log: Deps["log"];
};

/** What is expired goes on as after a rejection. */
export function createApprovalExpiry({ store, clock, servers, timer, dispatcher, promotions, log }: Expiring): Expiry {
  return createExpiry({
    store,
    clock: expiryClock({ clock, servers }),
    timer,
    expire: (approval) => expire({ store, clock, dispatcher, promotions }, approval),
    log,
  });
}
