// orch servers, orch drain.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type CommandContext, command } from "../../cli/context.ts";
import { EXIT, type ExitCode, failed, tried } from "../../cli/failure.ts";
import { cut, fitTable } from "../../cli/fit-table.ts";
import { WaitOption } from "../../cli/option-values.ts";
import type { Out } from "../../cli/out.ts";
import { age, block, painted } from "../../cli/text-format.ts";
import { counted, printable } from "../../domain/printable.ts";
import type { ServerDetails } from "../../domain/server.ts";
import { drainServer, getServer, listServers } from "./shapes.ts";

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

// Servers as text.

const COLUMNS = ["SERVER", "STATE", "TASKS", "LEASE", "UP", "PROCESS", "VERSION", cut("LABELS")];
const ADDRESS = cut("ADDRESS");

/** `now` is that of this machine, and ages of the lease are by the clock of the database. */
export function serverTable(servers: readonly ServerDetails[], now: Date, { paint, width }: Out): string[] {
  if (servers.length === 0) return ["No server is known."];
  const have_addresses = servers.some(({ url }) => url !== null);
  const rows = servers.map((server) => [
    printable(server.name),
    painted(paint, server.state),
    tasksOf(server),
    leaseOf(server) ?? "",
    server.state === "alive" || server.state === "draining" ? age(server.started_at, now) : "",
    printable(`${server.process ?? ""}${server.this ? " (answers)" : ""}`),
    printable(server.version ?? ""),
    printable(server.labels.join(", ")),
    ...(have_addresses ? [printable(server.url ?? "")] : []),
  ]);
  return fitTable(have_addresses ? [...COLUMNS, ADDRESS] : COLUMNS, rows, width);
}

const tasksOf = ({ running, concurrency }: ServerDetails): string =>
  concurrency === null ? String(running) : `${running} of ${concurrency}`;

const leaseOf = ({ lease_age_seconds }: ServerDetails): string | null =>
  lease_age_seconds === null ? null : `${lease_age_seconds} s ago`;

export function serverLines(server: ServerDetails, { paint, width }: Out): string[] {
  const { name, state, running, concurrency, labels, started_at, seen_at, version, journal_level, server_id, url } =
    server;
  return [
    `${paint("bold", printable(name))}  ${painted(paint, state)}${server.this ? "  this one answers" : ""}`,
    ...block({ paint, width }, [
      ["runs", `${counted(running, "task")}${concurrency === null ? "" : `, ${concurrency} at once`}`],
      ["labels", labels.length === 0 ? "none" : labels.join(", ")],
      ["process", server.process],
      ["address", url === null ? null : printable(url)],
      ["version", version === null ? null : `${version}${journal_level === null ? "" : ` (level ${journal_level})`}`],
      ["started", started_at],
      ["seen", seen_at],
      ["lease", leaseOf(server) === null ? null : `renewed ${leaseOf(server)}`],
      ["server id", server_id],
    ]),
  ];
}
