// Describes a server of orch as others see it, by its row in the database, and what it has found out about itself.
import { z } from "zod";
import { Label } from "./contract.ts";

export const Server = z.strictObject({
  server_id: z.string(),
  name: z.string(),
  labels: z.array(Label),
  /** It claims nothing more. */
  draining: z.boolean(),
  journal_level: z.int().nullable(),
});
export type Server = z.infer<typeof Server>;

/** `draining`: it claims nothing more and ends. `lost`: it has not renewed its lease in time, and may have ended. */
const SERVER_STATES = ["alive", "draining", "lost", "stopped"] as const;
export type ServerState = (typeof SERVER_STATES)[number];

export const ServerDetails = z.strictObject({
  name: z.string(),
  server_id: z.string(),
  process: z.string().nullable().describe("its host and pid"),
  url: z.string().nullable().default(null).describe("where the other servers reach it"),
  labels: z.array(z.string()),
  version: z.string().nullable(),
  journal_level: z.int().nullable().describe("the level of journals up to which it can read them"),
  concurrency: z.int().nullable().describe("how many tasks it runs at once"),
  running: z.int().describe("how many tasks it has now"),
  state: z
    .enum(SERVER_STATES)
    .describe("draining: it claims nothing more, and ends; lost: it has not renewed its lease in time"),
  started_at: z.string(),
  seen_at: z.string(),
  lease_age_seconds: z
    .number()
    .nullable()
    .describe("since it last renewed its lease, by the clock of the database; null where it has stopped"),
  clock_skew_seconds: z
    .number()
    .nullable()
    .default(null)
    .describe(
      "how far its clock is ahead of the database's, as it was at its last lease but one; null where that is not known",
    ),
  windows_digest: z.string().nullable().default(null).describe("of its ORCH_FREEZE_WINDOWS; null where it has none"),
  this: z.boolean().describe("it is the server that answers"),
});
export type ServerDetails = z.infer<typeof ServerDetails>;

/** Which task has a target, of those that have had one for longest. */
export const HeldTarget = z.strictObject({
  target_signature: z.string(),
  task_id: z.string(),
  status: z.string().nullable(),
  since: z.string(),
  held_seconds: z.number(),
  server_id: z.string().nullable().describe("the server that works on the task; null while it waits"),
});
export type HeldTarget = z.infer<typeof HeldTarget>;

/** A task that has not ended, and whose journal has a higher level than a live server can read. */
export const UnreadTask = z.strictObject({
  task_id: z.string(),
  status: z.string(),
  needs_level: z.int(),
});
export type UnreadTask = z.infer<typeof UnreadTask>;

/** Tasks that no server works on, but could: each waits for its target, a free place, labels or a thaw. */
export const WaitingTasks = z.strictObject({
  tasks: z.int().min(0),
  oldest_seconds: z.number().nullable().describe("since it was accepted or answered; null where none waits"),
});

/** What the database knows of its servers. `now` is its clock. */
export type Cluster = {
  readonly now: string;
  readonly servers: readonly ServerDetails[];
  readonly held: readonly HeldTarget[];
  readonly unread: readonly UnreadTask[];
  readonly waiting: z.infer<typeof WaitingTasks>;
};

/** A server that has not renewed its lease for so long may have ended. */
export const LEASE_MS = 30_000;

/** Clocks that differ by more put times of one server before those of another. */
export const MOST_SKEW_SECONDS = 2;

/** How far a clock that was read before and after is ahead of that of the database, which lies about in the middle. */
export const clockSkew = (before: number, after: number, cluster: Pick<Cluster, "now">): number =>
  Math.round(clockSkewMs(before, after, cluster) / 100) / 10;

export const clockSkewMs = (before: number, after: number, { now }: Pick<Cluster, "now">): number =>
  Math.round((before + after) / 2 - Date.parse(now));

/** Those of now: one that has stopped is history, and so is a lost one without a task whose name another server has since. */
export function currentServers(servers: readonly ServerDetails[]): ServerDetails[] {
  const live = servers.filter(({ state }) => state === "alive" || state === "draining");
  const isReplaced = ({ name, started_at }: ServerDetails): boolean =>
    live.some((other) => other.name === name && other.started_at > started_at);
  return servers.filter(
    (server) => live.includes(server) || (server.state === "lost" && (server.running > 0 || !isReplaced(server))),
  );
}

/** The servers that a name, a host with a pid or a server_id means: the live ones, else the one that was started last. */
export function serversNamed(servers: readonly ServerDetails[], given: string): ServerDetails[] {
  const named = servers.filter(({ name, server_id, process }) => [name, server_id, process].includes(given));
  const live = named.filter(({ state }) => state === "alive" || state === "draining");
  if (live.length > 0) return live;
  return named.toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1)).slice(0, 1);
}

/** What a server says of itself when it starts. `journal_level`: the highest that it can read (D-329). */
export type ServerSelf = {
  readonly name: string;
  readonly labels: readonly string[];
  readonly version?: string;
  readonly journal_level?: number;
  readonly concurrency?: number;
  /** Where the others reach it. */
  readonly url?: string;
  /** Opens its live output to them, and nothing else (D-395). It is of this start alone. */
  readonly output_secret?: string;
  /** Of ORCH_FREEZE_WINDOWS: each server keeps its own. Null where there are none. */
  readonly windows_digest?: string | null;
  /** Where it notes what it runs. Servers of one machine have one each. */
  readonly data_dir?: string;
};

export type OwnerState = {
  /** It works on its tasks, or may: they are left to it. */
  readonly lives: boolean;
  /** It may have ended without being stopped. */
  readonly may_have_crashed: boolean;
  /** It has ended for certain, and this server has looked for what it had left running. */
  readonly is_over: boolean;
};

// Counts the wakeups of all servers.

export type WakeupDepth = { readonly ready: number; readonly later: number; readonly running: number };

// What a server has found out about itself: whether all that it needs is there (D-358).

const Found = {
  state: z.enum(["works", "falls_back", "broken", "off"]).describe("off: not in use, which is no fault"),
  found: z.string().describe("what was seen"),
  fix: z.string().nullable().describe("null when nothing needs to be done"),
};

const Check = z.strictObject({
  name: z.string(),
  area: z.enum(["server", "models", "commands"]),
  ...Found,
});

const ServedTool = z.strictObject({
  name: z.string(),
  effect: z.enum(["reads", "changes", "unknown"]).describe("as its server says"),
  description: z.string().describe("the beginning of it"),
});

const ToolServerState = z.strictObject({
  name: z.string().describe("as implicit_scope names it"),
  ...Found,
  tools: z.array(ServedTool),
});

export const ServerDiagnosis = z.strictObject({
  server: z.string().describe("the one that answers: another one may be set up otherwise"),
  checked_at: z.string().describe("within a few seconds the same answer is given again"),
  checks: z.array(Check),
  tool_servers: z.array(ToolServerState),
  database: z.strictObject({
    kind: z.enum(["sqlite", "postgresql"]),
    bytes: z.int().nullable().describe("null where it does not answer"),
  }),
});
export type ServerDiagnosis = z.infer<typeof ServerDiagnosis>;
