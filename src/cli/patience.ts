// How long a server is asked again that has stopped answering, and what the user hears of it.
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandContext } from "./context.ts";

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
