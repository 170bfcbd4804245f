// list_servers, get_server, drain_server.
import { z } from "zod";
import { EXAMPLE } from "../../api/operations/example.ts";
import { READ, shape, type Tags } from "../../api/operations/operation.ts";
import { HeldTarget, ServerDetails, UnreadTask, WaitingTasks } from "../../domain/server.ts";

const Count = z.int().min(0);

export const listServers = shape({
  name: "list_servers",
  summary: "List the servers of the database, their queue, and the targets held for longest.",
  method: "GET",
  path: "/v1/servers",
  scope: "read",
  hints: READ,
  input: z.strictObject({ all: z.boolean().default(false).describe("true: stopped servers too.") }),
  output: z.strictObject({
    servers: z.array(ServerDetails),
    clock_skew_seconds: z.number().describe("how far the clock of the answering server is ahead of the database's"),
    waiting: WaitingTasks.nullable()
      .default(null)
      .describe("tasks without a server: they wait for their target, a free place, labels or a thaw"),
    queue: z
      .strictObject({ ready: Count, later: Count, running: Count })
      .nullable()
      .describe("wakeups of all servers; null where it is not known"),
    last_backup_at: z.iso
      .datetime()
      .nullable()
      .default(null)
      .describe(
        "when the last backup of the database was made, by `orch backup` or before a migration; null: none is known",
      ),
    held: z.array(HeldTarget).describe("at most 20; a server that is alone has them in memory"),
    unread: z
      .array(UnreadTask)
      .default([])
      .describe(
        "at most 20 tasks that have not ended and whose journal a live server cannot read: a newer one runs them",
      ),
  }),
  example: { all: true },
});

const ServerName = z.string().min(1).max(300).describe("Its name, host/pid or server_id.");
const Which = z.strictObject({ name: ServerName });
const One = z.strictObject({ server: ServerDetails });

export const getServer = shape({
  name: "get_server",
  summary: "Show a server: its labels, state and tasks.",
  method: "GET",
  path: "/v1/servers/{name}",
  scope: "read",
  hints: READ,
  input: Which,
  output: One,
  example: { name: EXAMPLE.server },
});

export const drainServer = shape({
  name: "drain_server",
  summary: "Have a server finish its running steps, leave its tasks to the others, and end.",
  method: "POST",
  path: "/v1/servers/{name}/drain",
  scope: "approve",
  hints: { read_only: false, destructive: true, idempotent: true },
  input: Which,
  output: One,
  example: { name: EXAMPLE.server },
});

export const SERVER_SHAPES = [listServers, getServer, drainServer] as const;

/** By the first part of the path. */
export const SERVER_TAGS: Tags = { servers: ["Servers", "The servers that share the database."] };
