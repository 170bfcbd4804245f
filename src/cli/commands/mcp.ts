// orch mcp: the tools of orch for an MCP client on stdin and stdout, from the running server or from one in this process.
import { z } from "zod";
import { type Connection, findConnection } from "../../connection.ts";
import { type Context, command, fail } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { refusedToken, unreachable } from "../no-answer.ts";

const PROBE_MS = 5_000;

export const mcp = command(z.object({}), async (context) => {
  const { connect, parts, environment, out } = context;
  const connection = await connect();
  const fault = await probe(connection);
  if (fault === null) return bridge(context, connection);
  if (!connection.is_loopback) return fail(context, unreachable(connection, fault));
  out.note(`orch: nothing answers at ${connection.url}; starting a server in this process`);
  const server = await parts.embed();
  try {
    return await bridge(context, await findConnection(environment, server.url));
  } finally {
    await server.stop();
  }
});

async function bridge(context: Context, connection: Connection) {
  const { value } = connection.token;
  if (value === null) return fail(context, refusedToken(connection, connection.token));
  await context.parts.bridge({ url: connection.url, token: value });
  return EXIT.done;
}

/** Whether anything listens there; what it is shows with the first message. */
async function probe({ url }: Connection): Promise<unknown> {
  try {
    const response = await fetch(`${url}/healthz`, { redirect: "manual", signal: AbortSignal.timeout(PROBE_MS) });
    await response.body?.cancel();
    return null;
  } catch (error) {
    return error;
  }
}
