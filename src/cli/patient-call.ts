// Repeats a call while its server restarts, so that --follow and --wait continue.
import type { CallOperation } from "./client.ts";
import type { CommandContext } from "./context.ts";
import { failed, tried } from "./failure.ts";
import { createPatience } from "./patience.ts";

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
