// Repeats a call while its server restarts, so that --follow and --wait continue.
import type { CallOperation } from "./client.ts";
import type { CommandContext } from "./context.ts";
import type { Result } from "./failure.ts";
import { createPatience } from "./patience.ts";

/** Repeats a call for `patience_ms` when the server stops answering. A server that has never answered is not called again. */
export function createPatientCall(context: CommandContext, { has_answered = false } = {}): CallOperation {
  const patience = createPatience(context, has_answered);
  return async (operation, input, as) => {
    for (;;) {
      // The first call after an outage returns at once, so that the user sees that the server is back.
      const request = patience.isAway() ? { ...input, wait_seconds: 0 } : input;
      const result = await context.call(operation, request, as);
      if (!isAway(result)) {
        patience.answered();
        return result;
      }
      if (!(await patience.pause())) return result;
    }
  };
}

const isAway = (result: Result<unknown>): boolean => !result.ok && result.failure.code === "unreachable";
