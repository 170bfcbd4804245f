// orch servers, orch drain.

import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { printable } from "../../domain/printable.ts";
import type { ServerDetails } from "../../domain/server.ts";
import { drainServer, getServer, listServers } from "../../operations/shapes/servers.ts";
import { type CommandContext, command } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { failed, tried } from "../failure.ts";
import { WaitOption } from "../option-values.ts";
import { serverLines, serverTable } from "../show-server.ts";

const Listed = z.object({ name: z.string().optional(), all: z.boolean().default(false) });

export const servers = command(Listed, async (context, { name, all }) => {
  const { call, out, clock } = context;
  if (name !== undefined) {
    const one = await call(getServer, { name });
    out.answer(one, () => serverLines(one.server, out));
    return EXIT.done;
  }
  const found = await call(listServers, { all });
  out.answer(found, () => serverTable(found.servers, clock(), out));
  return EXIT.done;
});

const Drained = z.object({ name: z.string(), wait: WaitOption });

export const drain = command(Drained, async (context, { name, wait }) => {
  const { call, out } = context;
  const asked = await call(drainServer, { name }, "approver");
  if (wait === undefined) {
    out.answer(asked, () => serverLines(asked.server, out));
    return EXIT.done;
  }
  return untilEnded(context, asked.server, wait);
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
    const next = await tried(call(getServer, { name: server_id }));
    if (!next.ok && next.failure.code === "unreachable" && asked.this) {
      out.answer({ server }, () => [`${printable(server.name)}  ended`]);
      return EXIT.done;
    }
    if (!next.ok) return failed(next.failure);
    server = next.value.server;
  }
}
