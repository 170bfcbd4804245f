// A call that is worth asking again: what is followed or waited for goes on while its server is restarted.
import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "./client.ts";
import type { Context } from "./context.ts";
import type { Result } from "./failure.ts";

const PAUSE_MS = 500;

/** Fails at once when there has been no answer yet; later a server that is away is asked again for `patience_ms`. */
export function createPatientCall({ call, clock, patience_ms, out }: Context): Call {
  let answered = false;
  return async (...input) => {
    let away_since: number | null = null;
    for (;;) {
      const result = await call(...input);
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
