// What the simulated flow engine answers, route by route, when nothing goes wrong.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { type Answer, json, type Received, text } from "../../support/request-recorder.ts";
import type { RequestKind } from "./faults.ts";
import { flowStatus, type Job, jobView, logOf, newJob } from "./jobs.ts";
import type { Workers } from "./worker.ts";

const VERSION = "CE v1.818.0";
const USER = "orch";
const OWNER = {
  email: "orch@example.com",
  username: USER,
  is_admin: false,
  is_super_admin: false,
  operator: false,
  disabled: false,
  created_at: "2026-03-06T09:00:00Z",
  folders: [],
  folders_read: [],
  folders_owners: [],
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type Engine = {
  readonly workspace: string;
  readonly flow: string;
  /** The tags that jobs may be asked for with; null where the tokens are those of super admins, who may use any. */
  readonly custom_tags: ReadonlySet<string> | null;
  /** The file of the script that was pushed. */
  readonly pushed_script: string;
  /** What each token may ask for. */
  readonly tokens: ReadonlyMap<string, ReadonlySet<RequestKind>>;
  readonly jobs: Job[];
  readonly workers: Workers;
  readonly clock: () => Date;
  readonly too_big: number;
  readonly unknown_for: () => number;
};

type Call = {
  /** What the path ends with: the path of a flow, or the id of a job. */
  readonly rest: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** Whether the token is one of the engine's: a caller that may not run anything may still ask after jobs. */
  readonly known: boolean;
  readonly response: ServerResponse;
};

type Route = {
  readonly kind: RequestKind;
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  readonly answer: (engine: Engine, call: Call) => Answer | Promise<Answer>;
};

type OfJob = (engine: Engine, job: Job, call: Call) => Answer;

/** Of one job, or what is said where there is none. */
const ofJob =
  (answer: OfJob, missing: (call: Call) => Answer = noSuchJob): Route["answer"] =>
  (engine, call) => {
    if (!UUID.test(call.rest)) return text(`Invalid URL: Cannot parse \`id\` with value \`${call.rest}\``, 400);
    const job = findJob(engine, call.rest);
    if (job === undefined) return missing(call);
    if (job.unknown_for <= 0) return answer(engine, job, call);
    job.unknown_for -= 1;
    return missing(call);
  };

const forUsers =
  (answer: OfJob): OfJob =>
  (engine, job, call) =>
    call.known ? answer(engine, job, call) : STRANGER;

const STRANGER = text("Bad request: As a non logged in user, you can only see jobs ran by anonymous users", 400);
const noSuchJob = ({ rest }: Call): Answer => text(`Not found: Job not found: ${rest}`, 404);

const ROUTES: readonly Route[] = [
  { kind: "version", method: "GET", path: /^\/api\/version$/, answer: () => text(VERSION) },
  { kind: "who", method: "GET", path: inWorkspace("users/whoami"), answer: () => json(OWNER) },
  { kind: "flow", method: "GET", path: inWorkspace("flows/get/(.+)"), answer: flowOf },
  { kind: "run", method: "POST", path: inWorkspace("jobs/run/f/(.+)"), answer: run },
  { kind: "run", method: "POST", path: inWorkspace("jobs/run_wait_result/f/(.+)"), answer: runAndWait },
  { kind: "poll", method: "GET", path: ofId("completed/get_result_maybe"), answer: ofJob(resultMaybe, notCompleted) },
  { kind: "result", method: "GET", path: ofId("completed/get_result"), answer: ofJob(resultOf) },
  { kind: "job", method: "GET", path: ofId("get"), answer: ofJob(forUsers(view)) },
  { kind: "logs", method: "GET", path: ofId("getupdate"), answer: ofJob(forUsers(update)) },
  { kind: "logs", method: "GET", path: ofId("get_logs"), answer: ofJob(forUsers(ownLog)) },
  { kind: "logs", method: "GET", path: ofId("get_flow_all_logs"), answer: ofJob(forUsers(allLogs)) },
  { kind: "cancel", method: "POST", path: ofId("queue/cancel"), answer: ofJob(cancel(false)) },
  { kind: "cancel", method: "POST", path: ofId("queue/force_cancel"), answer: ofJob(cancel(true)) },
];

function inWorkspace(path: string): RegExp {
  return new RegExp(`^/api/w/([^/]+)/${path}$`);
}
function ofId(path: string): RegExp {
  return inWorkspace(`jobs_u/${path}/([^/]+)`);
}

export const routeOf = (method: string, path: string): Route | undefined =>
  ROUTES.find((route) => route.method === method && route.path.test(path));

export async function answerTo(engine: Engine, received: Received, response: ServerResponse): Promise<Answer> {
  const url = new URL(received.url, "http://engine");
  const route = routeOf(received.method, url.pathname);
  if (route === undefined) return text("Not found", 404);
  const [, workspace, rest = ""] = route.path.exec(url.pathname) ?? [];
  const allowed = engine.tokens.get(received.headers.authorization?.replace(/^Bearer /, "") ?? "");
  const known = allowed !== undefined && workspace === engine.workspace;
  if (["run", "who", "flow"].includes(route.kind) && !known) return text("Unauthorized", 401);
  if (known && !allowed.has(route.kind)) return text(`Permission denied: scopes do not allow ${route.kind}`, 403);
  const { body } = received;
  return route.answer(engine, { rest: decodeURIComponent(rest), query: url.searchParams, body, known, response });
}

/** As the engine's command line pushed it. */
async function flowOf({ flow, pushed_script }: Engine, { rest: path }: Call): Promise<Answer> {
  if (path !== flow) return text(`Not found: flow not found at name ${path}`, 404);
  const value = {
    type: "rawscript",
    language: "bun",
    content: await readFile(pushed_script, "utf8"),
    input_transforms: {},
  };
  return json({
    workspace_id: "lab",
    path,
    summary: "Execute task steps",
    edited_by: USER,
    edited_at: OWNER.created_at,
    archived: false,
    extra_perms: {},
    value: { same_worker: true, modules: [{ id: "run_steps", value }] },
  });
}

const findJob = ({ jobs }: Engine, id: string): Job | undefined =>
  jobs.find((job) => job.id === id || job.module_id === id);

/** A job that was accepted, or why none was. */
function accept(engine: Engine, { rest: path, query, body }: Call): Job | Answer {
  const id = query.get("job_id") ?? randomUUID();
  if (!UUID.test(id)) return text("Failed to deserialize query string: job_id: UUID parsing failed", 400);
  if (path !== engine.flow) return text(`Not found: flow not found at name ${path}`, 404);
  const tag = query.get("tag") || null;
  if (tag !== null && engine.custom_tags?.has(tag) === false) return text(`${NO_TAG} ${[...engine.custom_tags]}`, 400);
  const args = argumentsOf(body);
  if (args === null) return text("Bad request: invalid json", 400);
  if (findJob(engine, id) !== undefined) return text(`Bad request: Job with id ${id} already exists`, 400);
  const created_at = engine.clock();
  const job = newJob({
    id,
    workspace: engine.workspace,
    path,
    tag,
    args,
    created_at,
    unknown_for: engine.unknown_for(),
  });
  engine.jobs.push(job);
  engine.workers.enqueue(job);
  return job;
}

const NO_TAG =
  "Bad request: Only super admins are allowed to use tags that are not included in the allowed CUSTOM_TAGS:";

function argumentsOf(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function run(engine: Engine, call: Call): Answer {
  const job = accept(engine, call);
  return "status" in job ? job : text(job.id, 201);
}

/** A client that goes away cancels the job. */
async function runAndWait(engine: Engine, call: Call): Promise<Answer> {
  const job = accept(engine, call);
  if ("status" in job) return job;
  call.response.once("close", () => void engine.workers.cancel(job, USER, "http connection broke"));
  await job.completed.promise;
  return json(job.ending?.result, job.ending?.success === true ? 200 : 422);
}

/** What is absent is null. An unknown job is one that has not been completed. */
function notCompleted({ query }: Pick<Call, "query">, running = false): Answer {
  const started = query.get("get_started") === "true" ? running : null;
  return json({ started, success: null, completed: false, result: null });
}

function resultMaybe(_: Engine, job: Job, call: Call): Answer {
  if (job.ending === null) return notCompleted(call, job.started_at !== null);
  return call.known ? json({ started: true, ...job.ending, completed: true }) : STRANGER;
}

function resultOf(_: Engine, job: Job, { rest, known }: Call): Answer {
  if (job.ending === null) return text(`Not found: Completed Job not found at name ${rest}`, 404);
  return known ? json(job.ending.result) : STRANGER;
}

function view({ too_big }: Engine, job: Job, { rest, query }: Call): Answer {
  return json(jobView(job, rest, { logs: query.get("no_logs") !== "true", too_big }));
}

/** What is absent is left out. Offsets are those of SQL, which counts from 1: what it says is what to ask with next. */
function update(_: Engine, job: Job, { rest, query }: Call): Answer {
  const asked_running = query.get("running");
  const running = job.ending !== null ? { running: false } : {};
  const started = job.ending === null && job.started_at !== null && asked_running === "false" ? { running: true } : {};
  const log = Array.from(logOf(job, rest));
  const from = Math.max(Number(query.get("log_offset") ?? 0) - 1, 0);
  const silent = log.length === 0 || query.get("no_logs") === "true";
  return json({
    ...running,
    ...started,
    completed: job.ending !== null,
    ...(silent ? {} : { new_logs: log.slice(from).join(""), log_offset: log.length + 1 }),
    ...(rest === job.id ? { flow_status: flowStatus(job) } : {}),
  });
}

function ownLog(_: Engine, job: Job, { rest }: Call): Answer {
  return text(logOf(job, rest));
}

function allLogs(_: Engine, job: Job): Answer {
  return text(`${logOf(job, job.id)}\n${logOf(job, job.module_id)}`);
}

function cancel(at_once: boolean): OfJob {
  return ({ workers }, job, { body, rest, known }) => {
    if (job.ending !== null) return text(`queued job id ${rest} is already completed`);
    if (!known)
      return text("Bad request: You are not logged in and this job was not created by an anonymous user", 400);
    const reason = argumentsOf(body)?.["reason"];
    void workers.cancel(job, USER, typeof reason === "string" ? reason : "No reason provided", at_once);
    return text(rest);
  };
}
