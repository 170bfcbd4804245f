// orch ready: whether the server serves, for health checks and for what starts after it.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Connection } from "../../config/connection.ts";
import { parseJson } from "../../domain/json-values.ts";
import { sendRequest } from "../../http-client/request.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { type Failure, failed } from "../failure.ts";
import { strangeServer, unreachable } from "../no-answer.ts";
import { WaitOption } from "../option-values.ts";

const LOOK_MS = 5_000;
const PAUSE_MS = 250;
const MAX_BYTES = 65_536;

const Ready = z.object({ status: z.literal("ready") });
const NotReady = z.object({ type: z.literal("urn:orch:error:not_ready"), detail: z.string() });

export const ready = command(z.object({ wait: WaitOption }), async (context, { wait = 0 }) => {
  const until = performance.now() + wait * 1_000;
  for (;;) {
    // Each time anew: a server that starts writes down where it listens.
    const connection = await context.connect();
    const failure = await look(connection);
    if (failure === null) {
      context.out.answer({ status: "ready", url: connection.url }, () => [`orch is ready at ${connection.url}`]);
      return EXIT.done;
    }
    if (performance.now() >= until) return failed(failure);
    await sleep(PAUSE_MS);
  }
});

/** Null when it serves. The request carries no token. */
async function look(connection: Connection): Promise<Failure | null> {
  const url = `${connection.url}/readyz`;
  const response = await sendRequest({ method: "GET", url, limit_ms: LOOK_MS, max_bytes: MAX_BYTES });
  if (!response.ok) return unreachable(connection, response.fault);
  const answer = parseJson(response.text);
  if (Ready.safeParse(answer).success) return null;
  const { data } = NotReady.safeParse(answer);
  if (data === undefined) return strangeServer(connection, response);
  const detail = `orch at ${connection.url} does not serve yet: ${data.detail}`;
  return { exit: EXIT.not_ok, code: "not_ready", detail, fix: "To wait for it: orch ready --wait 30" };
}
