// Repeats a call while its server restarts, so that --follow and --wait continue.
import { setTimeout as sleep } from "node:timers/promises";
import type { CallOperation } from "./client.ts";
import type { CommandContext } from "./context.ts";
import type { Result } from "./failure.ts";

const PAUSE_MS = 500;

/** Repeats a call for `patience_ms` when the server stops answering. A server that has never answered is not called again. */
export function createPatientCall(
  { call, clock, patience_ms, out }: CommandContext,
  { has_answered = false } = {},
): CallOperation {
  let answered = has_answered;
  return async (operation, input, as) => {
    let away_since: number | null = null;
    for (;;) {
      // The first call after an outage returns at once, so that the user sees that the server is back.
      const request = away_since === null ? input : { ...input, wait_seconds: 0 };
      const result = await call(operation, request, as);
      if (!isAway(result)) {
        if (away_since !== null) out.note("orch: it answers again");
        answered = true;
        return result;
      }
      const now = clock().getTime();
      if (!answered || now - (away_since ?? now) >= patience_ms) return result;
      if (away_since === null) out.note(`orch: it has stopped answering; asking again for ${patience_ms / 1000} s`);
      away_since ??= now;
      await sleep(PAUSE_MS);
    }
  };
}

const isAway = (result: Result<unknown>): boolean => !result.ok && result.failure.code === "unreachable";
