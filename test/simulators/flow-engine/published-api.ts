// The part of the engine's published API (its OpenAPI document, release 1.818.0) that orch, the voice server and this simulator
// speak, as schemas. Every request to the simulator and every answer of it is held to them; the official client, which is
// generated from that document, says the same of each field (test/contract/flow-engine/published-api.test.ts).
import { z } from "zod";
import type { Answer } from "../../support/request-recorder.ts";
import { CompletedJob, FlowStatus, OpenFlow, QueuedJob, User } from "./published-records.ts";

/** In the address a value is text. An id has the form of a UUID; those that the engine chooses are of no version of RFC 9562. */
const Id = z.guid();
const Flag = z.enum(["true", "false"]);
const Whole = z.string().regex(/^\d+$/);
const FlowPath = z.string().regex(/^[uf](\/[\w-]+)+$/);
const Arguments = z.record(z.string(), z.unknown());

/** What is absent is null in the engine's answers, and left out in its document. */
const ResultMaybe = z.strictObject({
  completed: z.boolean(),
  result: z.unknown(),
  success: z.boolean().nullish(),
  started: z.boolean().nullish(),
});

const Updates = z.strictObject({
  running: z.boolean().optional(),
  completed: z.boolean().optional(),
  new_logs: z.string().optional(),
  log_offset: z.int().optional(),
  mem_peak: z.int().optional(),
  progress: z.int().optional(),
  stream_offset: z.int().optional(),
  new_result_stream: z.string().optional(),
  flow_status: FlowStatus.optional(),
  workflow_as_code_status: z.unknown().optional(),
});

const RUN_QUERY = {
  include_header: z.string().optional(),
  job_id: Id.optional(),
  skip_preprocessor: Flag.optional(),
  memory_id: z.string().optional(),
};

type PublishedOperation = {
  readonly method: "GET" | "POST";
  /** After `/api`. `{workspace}` is part of most; the last name is that of `at`. */
  readonly path: string;
  readonly at?: z.ZodType<string>;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The status and the body of a success. */
  readonly answer: { readonly status: number; readonly text?: z.ZodType<string>; readonly json?: z.ZodType };
};

const text = (status: number, schema: z.ZodType<string> = z.string()) => ({ status, text: schema });
const json = (schema: z.ZodType) => ({ status: 200, json: schema });

export const OPERATIONS = {
  backendVersion: { method: "GET", path: "/version", answer: text(200) },
  whoami: { method: "GET", path: "/w/{workspace}/users/whoami", answer: json(User) },
  runFlowByPath: {
    method: "POST",
    path: "/w/{workspace}/jobs/run/f/{path}",
    at: FlowPath,
    query: z.strictObject({
      ...RUN_QUERY,
      scheduled_for: z.iso.datetime().optional(),
      scheduled_in_secs: Whole.optional(),
      parent_job: Id.optional(),
      tag: z.string().optional(),
      invisible_to_owner: Flag.optional(),
    }),
    body: Arguments,
    answer: text(201, Id),
  },
  runWaitResultFlowByPath: {
    method: "POST",
    path: "/w/{workspace}/jobs/run_wait_result/f/{path}",
    at: FlowPath,
    query: z.strictObject({ ...RUN_QUERY, queue_limit: z.string().optional() }),
    body: Arguments,
    answer: json(z.unknown()),
  },
  getCompletedJobResultMaybe: {
    method: "GET",
    path: "/w/{workspace}/jobs_u/completed/get_result_maybe/{id}",
    at: Id,
    query: z.strictObject({ get_started: Flag.optional() }),
    answer: json(ResultMaybe),
  },
  getCompletedJobResult: {
    method: "GET",
    path: "/w/{workspace}/jobs_u/completed/get_result/{id}",
    at: Id,
    query: z.strictObject({
      suspended_job: z.string().optional(),
      resume_id: Whole.optional(),
      secret: z.string().optional(),
      approver: z.string().optional(),
    }),
    answer: json(z.unknown()),
  },
  getJob: {
    method: "GET",
    path: "/w/{workspace}/jobs_u/get/{id}",
    at: Id,
    query: z.strictObject({
      no_logs: Flag.optional(),
      no_code: Flag.optional(),
      approval_token: z.string().optional(),
    }),
    answer: json(z.discriminatedUnion("type", [CompletedJob, QueuedJob])),
  },
  getJobUpdates: {
    method: "GET",
    path: "/w/{workspace}/jobs_u/getupdate/{id}",
    at: Id,
    query: z.strictObject({
      running: Flag.optional(),
      log_offset: Whole.optional(),
      stream_offset: Whole.optional(),
      get_progress: Flag.optional(),
      no_logs: Flag.optional(),
    }),
    answer: json(Updates),
  },
  getJobLogs: { method: "GET", path: "/w/{workspace}/jobs_u/get_logs/{id}", at: Id, answer: text(200) },
  getFlowAllLogs: { method: "GET", path: "/w/{workspace}/jobs_u/get_flow_all_logs/{id}", at: Id, answer: text(200) },
  cancelQueuedJob: {
    method: "POST",
    path: "/w/{workspace}/jobs_u/queue/cancel/{id}",
    at: Id,
    body: z.strictObject({ reason: z.string().optional() }),
    answer: text(200),
  },
  forceCancelQueuedJob: {
    method: "POST",
    path: "/w/{workspace}/jobs_u/queue/force_cancel/{id}",
    at: Id,
    body: z.strictObject({ reason: z.string().optional() }),
    answer: text(200),
  },
  getFlowByPath: {
    method: "GET",
    path: "/w/{workspace}/flows/get/{path}",
    at: FlowPath,
    query: z.strictObject({ with_starred_info: Flag.optional(), get_draft: Flag.optional() }),
    answer: json(OpenFlow),
  },
  getVariableValue: {
    method: "GET",
    path: "/w/{workspace}/variables/get_value/{path}",
    at: FlowPath,
    query: z.strictObject({ allow_cache: Flag.optional() }),
    answer: json(z.string()),
  },
} as const satisfies Readonly<Record<string, PublishedOperation>>;

type Exchanged = { readonly method: string; readonly url: string; readonly body: string; readonly answer: Answer };

const PATTERNS = Object.entries(OPERATIONS as Readonly<Record<string, PublishedOperation>>).map(([id, operation]) => {
  const pattern = operation.path.replace("{workspace}", "[\\w-]+").replace(/\{(?:path|id)\}$/, "(?<at>.+)");
  return { id, operation, pattern: new RegExp(`^/api${pattern}$`) };
});

/** In which the request, or the answer to it, is not as published; each begins with the name of the operation. */
export function violationsIn({ method, url, body, answer }: Exchanged): string[] {
  const { pathname, searchParams } = new URL(url, "http://engine");
  const found = PATTERNS.find(({ operation, pattern }) => operation.method === method && pattern.test(pathname));
  if (found === undefined) return [`${method} ${pathname} is no published operation`];
  const { id, operation, pattern } = found;
  const at = pattern.exec(pathname)?.groups?.["at"];
  const query = [...searchParams.keys()].length === new Set(searchParams.keys()).size ? searchParams : [["twice", ""]];
  const parts: [string, z.ZodType | undefined, unknown][] = [
    ["path", operation.at, at === undefined ? undefined : decodeURIComponent(at)],
    ["query", operation.query ?? z.strictObject({}), Object.fromEntries(query)],
    ["body", operation.body ?? z.literal(""), operation.body === undefined ? body : jsonIn(body)],
    ...partsOf(operation, answer),
  ];
  return parts.flatMap(([name, schema, value]) => {
    const { error } = schema?.safeParse(value) ?? {};
    return error === undefined ? [] : [`${id} ${name}: ${z.prettifyError(error)}`];
  });
}

/** The document says what a success is. What is refused has a status from 400 and words. */
function partsOf({ answer: published }: PublishedOperation, answer: Answer): [string, z.ZodType, unknown][] {
  if (answer.status >= 400) return [["refusal", z.string().min(1), answer.body]];
  const type = published.json === undefined ? "text/plain" : "application/json";
  const value = published.json === undefined ? answer.body : jsonIn(answer.body);
  return [
    ["status", z.literal(published.status), answer.status],
    ["content type", z.literal(type), answer.type],
    ["answer", published.json ?? published.text ?? z.never(), value],
  ];
}

/** For the end of a test. */
export function failFor(violations: readonly string[]): void {
  if (violations.length > 0) throw new Error(`not as the engine's API is published:\n${violations.join("\n")}`);
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
