// orch servers, orch drain.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { printable } from "../../domain/printable.ts";
import type { ServerDetails } from "../../domain/server.ts";
import { drainServer, getServer, listServers } from "../../operations/shapes/servers.ts";
import { type CommandContext, command, fail } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { WaitOption } from "../option-values.ts";
import { serverLines, serverTable } from "../show-server.ts";

const Listed = z.object({ name: z.string().optional(), all: z.boolean().default(false) });

export const servers = command(Listed, async (context, { name, all }) => {
  const { call, out, clock } = context;
  if (name !== undefined) {
    const one = await call(getServer, { name });
    if (!one.ok) return fail(context, one.failure);
    out.answer(one.value, () => serverLines(one.value.server, out));
    return EXIT.done;
  }
  const found = await call(listServers, { all });
  if (!found.ok) return fail(context, found.failure);
  out.answer(found.value, () => serverTable(found.value.servers, clock(), out));
  return EXIT.done;
});

const Drained = z.object({ name: z.string(), wait: WaitOption });

export const drain = command(Drained, async (context, { name, wait }) => {
  const { call, out } = context;
  const asked = await call(drainServer, { name }, "approver");
  if (!asked.ok) return fail(context, asked.failure);
  if (wait === undefined) {
    out.answer(asked.value, () => serverLines(asked.value.server, out));
    return EXIT.done;
  }
  return untilEnded(context, asked.value.server, wait);
});

const LOOK_MS = 500;

/** The server that answers may be the one that ends: then nothing answers any more. */
async function untilEnded(context: CommandContext, asked: ServerDetails, seconds: number): Promise<ExitCode> {
  const { call, out } = context;
  const { server_id } = asked;
  const deadline = performance.now() + seconds * 1000;
  for (let server = asked; ; await sleep(LOOK_MS)) {
    const isOver = server.state === "stopped" || server.state === "lost";
    if (isOver || performance.now() >= deadline) {
      out.answer({ server }, () => serverLines(server, out));
      if (server.state === "lost") return EXIT.not_ok;
      return isOver ? EXIT.done : EXIT.still_running;
    }
    const next = await call(getServer, { name: server_id });
    if (!next.ok && next.failure.code === "unreachable" && asked.this) {
      out.answer({ server }, () => [`${printable(server.name)}  ended`]);
      return EXIT.done;
    }
    if (!next.ok) return fail(context, next.failure);
    server = next.value.server;
  }
}
