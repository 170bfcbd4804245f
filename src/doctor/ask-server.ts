// Asks the running server how its last questions to the routing model went, which tasks wait for the flow engine, and which
// servers share its database: their labels, leases and clocks, what waits in the queue, and which targets have been held
// for long.
import { z } from "zod";
import type { Env } from "../config/config.ts";
import { findConnection } from "../config/connection.ts";
import { JobWait } from "../domain/run-request.ts";
import { type Cluster, MOST_SKEW_SECONDS, type ServerDetails, type UnreadTask } from "../domain/server.ts";
import { listInbox } from "../features/approvals/shapes.ts";
import { listServers } from "../features/servers/shapes.ts";
import { broken, type Diagnosis, fallsBack, getJson, off, works } from "./examination.ts";
import { reachServers } from "./reach-servers.ts";

/** Null where nothing is to be said, or no server answers. */
export async function noticeOf(environment: Env, server: Promise<Diagnosis>): Promise<string | null> {
  const { state } = await server;
  if (state !== "works" && state !== "falls_back") return null;
  const { url, token } = await findConnection(environment);
  const answer = await getJson(`${url}${listInbox.path}?limit=1`, { authorization: `Bearer ${token.value ?? ""}` });
  const read = "fault" in answer ? null : listInbox.output.safeParse(answer.body);
  const notices = read?.success === true ? read.data.notices : [];
  return notices.length === 0 ? null : notices.join(" ");
}

const MAX_TASKS = 20;

const Running = z.object({ tasks: z.array(z.object({ task_id: z.string(), backend: z.string() })) });
const Waiting = z.object({ waits_for: JobWait.extend({ tries: z.int() }).nullable() });

/** The diagnosis of the engine, with what the tasks of a server that answers wait for. */
export async function withWaits(found: Diagnosis, server: Promise<Diagnosis>, environment: Env): Promise<Diagnosis> {
  const { state } = await server;
  if (state !== "works" && state !== "falls_back") return found;
  const waits = await waitsOf(environment);
  if (waits.length === 0) return found;
  const text = [found.found, ...waits].join("\n");
  return found.state === "works" ? fallsBack(text, FIX) : { ...found, found: text };
}

const FIX =
  "Correct what is named. Until then orch asks again, and gives a job up after 15 minutes without an answer about it.";

async function waitsOf(environment: Env): Promise<string[]> {
  const { url, token } = await findConnection(environment);
  const headers = { authorization: `Bearer ${token.value ?? ""}` };
  const listed = await getJson(`${url}/v1/tasks?status=running&limit=100`, headers);
  const tasks = "fault" in listed ? [] : (Running.safeParse(listed.body).data?.tasks ?? []);
  const remote = tasks.filter(({ backend }) => backend === "flowengine").slice(0, MAX_TASKS);
  const lines = await Promise.all(
    remote.map(async ({ task_id }) => {
      const task = await getJson(`${url}/v1/tasks/${encodeURIComponent(task_id)}`, headers);
      const wait = "fault" in task ? null : (Waiting.safeParse(task.body).data?.waits_for ?? null);
      return wait === null
        ? []
        : [`task ${task_id} waits: ${wait.message}; since ${wait.since}, asked ${wait.tries} times`];
    }),
  );
  return lines.flat();
}

/** A target that is held for less is in use. */
const LONG_SECONDS = 3_600;
const MOST_SHOWN = 5;

export async function examineServers(environment: Env, server: Promise<Diagnosis>): Promise<Diagnosis> {
  const { state } = await server;
  if (state !== "works" && state !== "falls_back") return off("not looked at: no server of orch answers");
  const { url, token, is_loopback } = await findConnection(environment);
  const answer = await getJson(`${url}${listServers.path}`, { authorization: `Bearer ${token.value ?? ""}` });
  const read = "fault" in answer ? null : listServers.output.safeParse(answer.body);
  if (read?.success !== true) return broken("the server does not say which servers there are", "Read its log.");
  const { servers, clock_skew_seconds: skew, waiting, queue, held, unread } = read.data;
  const live = servers.filter((one) => one.state === "alive" || one.state === "draining");
  const levels = [...new Set(live.map(({ journal_level }) => journal_level ?? 0))].sort((a, b) => a - b);
  // From elsewhere it is not known what that server reaches.
  const reached = is_loopback ? await reachServers(servers) : { found: [], fix: [] };
  const compared = compareServers(live, skew);
  const long = held.filter(({ held_seconds }) => held_seconds >= LONG_SECONDS).slice(0, MOST_SHOWN);
  const found = [
    ...servers.map(lineOf),
    ...(waiting === null ? [] : [waitingTasksLine(waiting)]),
    ...(queue === null
      ? []
      : [`queue of wakeups: ${queue.ready} ready, ${queue.later} later, ${queue.running} in work`]),
    ...long.map(
      ({ target_signature, task_id, status, held_seconds }) =>
        `${target_signature} has been held by ${task_id} (${status ?? "unknown"}) for ${hours(held_seconds)}`,
    ),
    ...reached.found,
    ...(levels.length > 1 ? [`the levels of their journals differ: ${levels.join(", ")}`] : []),
    ...unread.slice(0, MOST_SHOWN).map((task) => waitingLine(task, levels.at(-1) ?? 0)),
    ...compared.found,
  ].join("\n");
  const fix = [
    ...compared.fix,
    ...(servers.some((one) => one.state === "lost") ? ["Start the lost server again, or leave it: others go on."] : []),
    ...(levels.length > 1 || new Set(servers.map(({ version }) => version)).size > 1
      ? ["Run the same version on every server."]
      : []),
    ...(unread.some(({ needs_level }) => needs_level > (levels.at(-1) ?? 0))
      ? ["Start a server of the version that has written these tasks, or of a later one."]
      : []),
    ...reached.fix,
    ...(long.length > 0 ? ["Answer or cancel the tasks that hold targets."] : []),
  ].join("\n");
  return fix === "" ? works(found) : fallsBack(found, fix);
}

const waitingLine = ({ task_id, status, needs_level }: UnreadTask, highest: number): string =>
  `${task_id} (${status}) waits for a server of level ${needs_level}${needs_level > highest ? ", and there is none" : ""}`;

const waitingTasksLine = ({ tasks, oldest_seconds }: Cluster["waiting"]): string =>
  tasks === 0 ? "no task waits for a server" : `${tasks} tasks wait for a server, the oldest for ${oldest_seconds} s`;

const hours = (seconds: number): string => `${Math.floor(seconds / 360) / 10} h`;

function lineOf({
  name,
  state,
  version,
  journal_level,
  labels,
  running,
  lease_age_seconds,
  url,
  this: answers,
}: ServerDetails): string {
  const lease = lease_age_seconds === null ? "" : `, lease renewed ${lease_age_seconds} s ago`;
  const has = labels.length === 0 ? "no labels" : labels.join(", ");
  return `${name}${answers ? " (answers)" : ""}: ${state}, ${version ?? "unknown version"}${journal_level === null ? "" : ` (level ${journal_level})`}, ${has}, ${running} tasks${lease}${url === null ? "" : `, at ${url}`}`;
}

type Compared = { readonly found: readonly string[]; readonly fix: readonly string[] };

/** `skew_seconds`: of the server that answers, as it has just measured it. The others have written theirs with their lease. */
function compareServers(live: readonly ServerDetails[], skew_seconds: number): Compared {
  const skewed = live.flatMap(({ name, this: answers, clock_skew_seconds }) =>
    !answers && isSkewed(clock_skew_seconds)
      ? [`the clock of ${name} is ${clock_skew_seconds} s ahead of the database's`]
      : [],
  );
  const own = isSkewed(skew_seconds)
    ? [`the clock of the server that answers is ${skew_seconds} s ahead of the database's`]
    : [];
  const clocks = [...own, ...skewed];
  const windows = Map.groupBy(live, ({ windows_digest }) => windows_digest);
  const differ =
    windows.size <= 1 ? [] : [`the windows of ORCH_FREEZE_WINDOWS differ: ${[...windows].map(withNames).join("; ")}`];
  return {
    found: [...clocks, ...differ],
    fix: [
      ...(clocks.length > 0 ? ["Set the clocks of the servers and of the database by NTP."] : []),
      ...(differ.length > 0
        ? ["Give every server the same ORCH_FREEZE_WINDOWS: each holds what it starts itself."]
        : []),
    ],
  };
}

const isSkewed = (seconds: number | null): boolean => Math.abs(seconds ?? 0) > MOST_SKEW_SECONDS;

const withNames = ([digest, servers]: readonly [string | null, readonly ServerDetails[]]): string => {
  const names = servers.map(({ name }) => name).join(", ");
  return digest === null ? `${names} without` : `${names} with ${digest.slice(0, MOST_OF_DIGEST)}`;
};

/** Enough to see that two are not the same. */
const MOST_OF_DIGEST = "sha256:".length + 8;
