// Runs orch serve, which runs the server in this process, and orch ready, which asks whether it serves.
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Connection } from "../../config/connection.ts";
import { OrchError } from "../../domain/errors.ts";
import { parseJson } from "../../domain/json-values.ts";
import { sendRequest } from "../../http-client/request.ts";
import { strangeServer, unreachable } from "../client.ts";
import { command } from "../context.ts";
import { EXIT, type Failure, failed, failureOf } from "../failure.ts";
import { WaitOption } from "../option-values.ts";

const Given = z.object({ port: z.string().optional(), host: z.string().optional(), dataDir: z.string().optional() });

export const serve = command(Given, async (context, { port, host, dataDir }) => {
  const environment = {
    ...context.environment,
    ...(port !== undefined && { ORCH_PORT: port }),
    ...(host !== undefined && { ORCH_HOST: host }),
    ...(dataDir !== undefined && { ORCH_DATA_DIR: resolve(context.cwd, dataDir) }),
  };
  try {
    await context.parts.serve(environment);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    const failure = failureOf(error);
    // A fault is named as it was given: the option, where it took the place of the variable.
    const named = (text: string) => asGiven({ "--port": port, "--host": host, "--data-dir": dataDir }, text);
    const issues = failure.issues?.map((issue) => ({ ...issue, path: named(issue.path) }));
    return failed({ ...failure, detail: `orch cannot start: ${named(failure.detail)}`, issues });
  }
});

function asGiven(given: Readonly<Record<string, string | undefined>>, text: string): string {
  const options = Object.entries(given).filter(([, value]) => value !== undefined);
  return options.reduce(
    (named, [option]) => named.replaceAll(`ORCH_${option.slice(2).replace("-", "_").toUpperCase()}`, option),
    text,
  );
}

// orch ready: whether the server serves, for health checks and for what starts after it.

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
