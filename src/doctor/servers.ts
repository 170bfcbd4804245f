// Asks the running server which servers share its database: their labels, how long ago each renewed its lease, whether the clocks agree, what
// waits in the queue, and which targets have been held for long.
import type { Env } from "../config/config.ts";
import { findConnection } from "../config/connection.ts";
import type { Cluster, ServerDetails, UnreadTask } from "../domain/server.ts";
import { listServers } from "../operations/shapes/servers.ts";
import { compareServers } from "./compare-servers.ts";
import { broken, type Diagnosis, fallsBack, off, works } from "./diagnosis.ts";
import { getJson } from "./get-json.ts";
import { reachServers } from "./reach-servers.ts";

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
