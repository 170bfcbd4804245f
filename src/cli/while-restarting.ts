// Repeats a call while its server restarts, so that --follow and --wait continue, and says how long a server is asked again
// that has stopped answering.
import { setTimeout as sleep } from "node:timers/promises";
import type { CallOperation } from "./client.ts";
import type { CommandContext } from "./context.ts";
import { failed, tried } from "./failure.ts";

/** Repeats a call for `patience_ms` when the server stops answering. A server that has never answered is not called again. */
export function createPatientCall(context: CommandContext, { has_answered = false } = {}): CallOperation {
  const patience = createPatience(context, has_answered);
  return async (operation, input, as) => {
    for (;;) {
      // The first call after an outage returns at once, so that the user sees that the server is back.
      const request = patience.isAway() ? { ...input, wait_seconds: 0 } : input;
      const result = await tried(context.call(operation, request, as));
      if (result.ok || result.failure.code !== "unreachable") patience.answered();
      if (result.ok) return result.value;
      if (result.failure.code !== "unreachable" || !(await patience.pause())) return failed(result.failure);
    }
  };
}

const PAUSE_MS = 500;

type Patience = {
  readonly isAway: () => boolean;
  readonly answered: () => void;
  /** Pauses, and resolves with true while it is to be asked again. A server that has never answered is not. */
  readonly pause: () => Promise<boolean>;
};

export function createPatience(
  { clock, patience_ms, out }: Pick<CommandContext, "clock" | "patience_ms" | "out">,
  has_answered: boolean,
): Patience {
  let hasAnswered = has_answered;
  let away_since: number | null = null;
  return {
    isAway: () => away_since !== null,
    answered: () => {
      if (away_since !== null) out.note("orch: it answers again");
      away_since = null;
      hasAnswered = true;
    },
    pause: async () => {
      const now = clock().getTime();
      if (!hasAnswered || now - (away_since ?? now) >= patience_ms) return false;
      if (away_since === null) out.note(`orch: it has stopped answering; asking again for ${patience_ms / 1000} s`);
      away_since ??= now;
      await sleep(PAUSE_MS);
      return true;
    },
  };
}
