// /healthz: the process lives. /readyz: the database answers and recovery is done. Neither needs a token.

import { setTimeout as sleep } from "node:timers/promises";
import { OrchError } from "../domain/errors.ts";
import type { Log } from "../log/log.ts";
import type { Handler } from "./context.ts";
import { problem, sendProblem } from "./problem.ts";

/** Those who ask for readiness wait a few seconds at most. */
const LONGEST_MS = 3_000;

/** Null when ready, else a sentence that says what is missing and reveals nothing. */
export type Ready = () => Promise<string | null>;

export const healthz: Handler = (_request, response) => {
  response.json({ status: "ok" });
};

export function readyz(ready: Ready, log: Log): Handler {
  return async (_request, response) => {
    const silence = sleep(LONGEST_MS, "The database does not answer.", { ref: false });
    const missing = await Promise.race([ready(), silence]).catch((err: unknown) => {
      log.error({ request_id: response.locals.request_id, err }, "the readiness check failed");
      const fix = err instanceof OrchError ? err.fix : null;
      return `The readiness check failed${fix === null ? "" : `: ${fix}`}.`;
    });
    if (missing === null) response.json({ status: "ready" });
    else sendProblem(response, problem("not_ready", missing));
  };
}
