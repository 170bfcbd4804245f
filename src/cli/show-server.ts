// Servers as text.
import { counted } from "../domain/outcome.ts";
import { printable } from "../domain/printable.ts";
import type { ServerDetails } from "../domain/server.ts";
import { cut, fitTable } from "./fit-table.ts";
import type { Out } from "./out.ts";
import { age, block, painted } from "./text-format.ts";

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
