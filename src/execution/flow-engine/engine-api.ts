// The requests to a flow engine that orch makes (spec section 4, Outbound: flow engine), and the parts of its answers that
// orch reads. The path of a flow stands in the address as it is, its slashes too.
import { z } from "zod";
import { parseJson } from "../../domain/parse-json.ts";
import type { Engine, EngineAnswer, EngineExchange } from "./exchange.ts";

/** `text` is the answer as it came. */
export type EngineReply<T> =
  | Exclude<EngineAnswer, { is: "ok" }>
  | { readonly is: "ok"; readonly value: T; readonly text: string };

const Completion = z.discriminatedUnion("completed", [
  z.looseObject({ completed: z.literal(false), started: z.boolean().optional().catch(undefined) }),
  z.looseObject({ completed: z.literal(true), success: z.boolean().nullish(), result: z.unknown() }),
]);
export type Completion = z.infer<typeof Completion>;

const ModuleOf = z.looseObject({ job: z.string().optional().catch(undefined) });
const View = z.looseObject({
  type: z.string().optional().catch(undefined),
  flow_status: z
    .looseObject({ modules: z.array(ModuleOf).catch([]) })
    .optional()
    .catch(undefined),
});

const Update = z.looseObject({
  new_logs: z.string().nullish().catch(undefined),
  log_offset: z.int().min(0).nullish().catch(undefined),
});

export type EngineApi = ReturnType<typeof createEngineApi>;

export function createEngineApi(exchange: EngineExchange, { workspace }: Pick<Engine, "workspace">) {
  const jobs = `/w/${encodeURIComponent(workspace)}`;
  const get = async <T>(path: string, schema: z.ZodType<T>): Promise<EngineReply<T>> =>
    parsed(await exchange({ method: "GET", path }), schema);

  return {
    /** The id of the job is the caller's: the engine refuses one that it knows already. */
    run: (flow_path: string, job_id: string, body: object, signal?: AbortSignal) =>
      exchange({ method: "POST", path: `${jobs}/jobs/run/f/${flow_path}?job_id=${job_id}`, body, signal }),
    completion: (job_id: string) =>
      get(`${jobs}/jobs_u/completed/get_result_maybe/${job_id}?get_started=true`, Completion),
    /** Where it was too large for `completion`. */
    result: (job_id: string) => get(`${jobs}/jobs_u/completed/get_result/${job_id}`, z.unknown()),
    view: (job_id: string) => get(`${jobs}/jobs_u/get/${job_id}?no_logs=true&no_code=true`, View),
    /** What the job has logged behind `offset`. */
    log: (job_id: string, offset: number) =>
      get(`${jobs}/jobs_u/getupdate/${job_id}?running=true&log_offset=${offset}`, Update),
    cancel: (job_id: string, reason: string) =>
      exchange({ method: "POST", path: `${jobs}/jobs_u/queue/cancel/${job_id}`, body: { reason } }),
    whoami: () => exchange({ method: "GET", path: `${jobs}/users/whoami` }),
    version: () => exchange({ method: "GET", path: "/version" }),
  };
}

function parsed<T>(answer: EngineAnswer, schema: z.ZodType<T>): EngineReply<T> {
  if (answer.is !== "ok") return answer;
  const { text } = answer;
  const value = parseJson(text);
  const { data, success } = schema.safeParse(value);
  if (success && value !== undefined) return { is: "ok", value: data, text };
  // Perhaps the page of a gateway before the engine.
  return { is: "lost", message: "what it answered is not what a flow engine answers" };
}

/** What is said of a request that did not do. */
export const wordsOf = (answer: Exclude<EngineAnswer, { is: "ok" }>): string =>
  answer.is === "refused" ? `HTTP ${answer.status} ${answer.message}`.trim() : answer.message;
