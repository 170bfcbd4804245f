// A call that is worth asking again: what is followed or waited for goes on while its server is restarted.
import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "./client.ts";
import type { Context } from "./context.ts";
import type { Result } from "./failure.ts";

const PAUSE_MS = 500;

/** A server that is away is asked again for `patience_ms`, but not one that has never answered. */
export function createPatientCall({ call, clock, patience_ms, out }: Context, { has_answered = false } = {}): Call {
  let answered = has_answered;
  return async (operation, input, as) => {
    let away_since: number | null = null;
    for (;;) {
      // One that is back is to say so now, and not when it has something to tell.
      const asked = away_since === null ? input : { ...input, wait_seconds: 0 };
      const result = await call(operation, asked, as);
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
