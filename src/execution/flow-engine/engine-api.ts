// The requests that orch sends to a flow engine [4.flow.invoke], and the parts of its responses that orch reads.
// The path of a flow is part of the URL without encoding, including its slashes.
import { z } from "zod";
import { parseJson } from "../../domain/json-values.ts";
import type { Engine, EngineAnswer, EngineExchange } from "./exchange.ts";

/** `text` is the body of the response, unparsed. */
export type EngineReply<T> =
  | Exclude<EngineAnswer, { is: "ok" }>
  | { readonly is: "ok"; readonly value: T; readonly text: string };

const Completion = z.discriminatedUnion("completed", [
  z.looseObject({ completed: z.literal(false), started: z.boolean().optional().catch(undefined) }),
  z.looseObject({ completed: z.literal(true), success: z.boolean().nullish(), result: z.unknown() }),
]);
export type Completion = z.infer<typeof Completion>;

/** An id becomes part of an address. It has the form of a UUID, and the engine's are of no version of RFC 9562. */
const ModuleOf = z.looseObject({ job: z.guid().optional().catch(undefined) });
const View = z.looseObject({
  type: z.string().optional().catch(undefined),
  /** Of a queued job: whether a worker has taken it. */
  running: z.boolean().optional().catch(undefined),
  /** Of a completed job. */
  success: z.boolean().optional().catch(undefined),
  /** The workers that may take it. */
  tag: z.string().optional().catch(undefined),
  flow_status: z
    .looseObject({ modules: z.array(ModuleOf).catch([]) })
    .optional()
    .catch(undefined),
});

const Update = z.looseObject({
  new_logs: z.string().nullish().catch(undefined),
  log_offset: z.int().min(0).nullish().catch(undefined),
});

/** Modules of other kinds have no text of their own. */
const Module = z.looseObject({ value: z.looseObject({ content: z.string().optional().catch(undefined) }) });
const Flow = z.looseObject({ value: z.looseObject({ modules: z.array(Module) }) });

const Whoami = z.looseObject({ username: z.string().min(1) });

export type NewJob = { readonly job_id: string; readonly tag: string | null; readonly input: object };

export type EngineApi = ReturnType<typeof createEngineApi>;

export function createEngineApi(exchange: EngineExchange, { workspace }: Pick<Engine, "workspace">) {
  const jobs = `/w/${encodeURIComponent(workspace)}`;
  const get = async <T>(path: string, schema: z.ZodType<T>): Promise<EngineReply<T>> =>
    parsed(await exchange({ method: "GET", path }), schema);

  return {
    /** The caller chooses the id of the job. The engine refuses an id that it already has. A tag selects its workers. */
    run: (flow_path: string, { job_id, tag, input }: NewJob, signal?: AbortSignal) => {
      const query = new URLSearchParams({ ...(tag !== null && { tag }), job_id });
      return exchange({ method: "POST", path: `${jobs}/jobs/run/f/${flow_path}?${query}`, body: input, signal });
    },
    completion: (job_id: string) =>
      get(`${jobs}/jobs_u/completed/get_result_maybe/${job_id}?get_started=true`, Completion),
    /** The result of a job whose result is too large for `completion`. */
    result: (job_id: string) => get(`${jobs}/jobs_u/completed/get_result/${job_id}`, z.unknown()),
    view: (job_id: string) => get(`${jobs}/jobs_u/get/${job_id}?no_logs=true&no_code=true`, View),
    /** The log of the job after `offset`. */
    log: (job_id: string, offset: number) =>
      get(`${jobs}/jobs_u/getupdate/${job_id}?running=true&log_offset=${offset}`, Update),
    cancel: (job_id: string, reason: string) =>
      exchange({ method: "POST", path: `${jobs}/jobs_u/queue/cancel/${job_id}`, body: { reason } }),
    /** The flow as it was pushed. */
    flow: (flow_path: string) => get(`${jobs}/flows/get/${flow_path}`, Flow),
    whoami: () => get(`${jobs}/users/whoami`, Whoami),
    version: async (): Promise<EngineReply<string>> => {
      const answer = await exchange({ method: "GET", path: "/version" });
      if (answer.is !== "ok") return answer;
      const value = answer.text.trim();
      return VERSION.test(value) ? { is: "ok", value, text: answer.text } : FOREIGN;
    },
  };
}

/** The edition and the release: CE v1.818.0. */
const VERSION = /^[CE]E v?\d[\w.+-]{0,60}$/;

// This may be a page of a gateway in front of the engine.
const FOREIGN = { is: "lost", message: "the response is not one of a flow engine" } as const;

function parsed<T>(answer: EngineAnswer, schema: z.ZodType<T>): EngineReply<T> {
  if (answer.is !== "ok") return answer;
  const { text } = answer;
  const value = parseJson(text);
  const { data, success } = schema.safeParse(value);
  if (success && value !== undefined) return { is: "ok", value: data, text };
  return FOREIGN;
}

/** The status and the message of a failed request, as text. */
export const describeFailure = (answer: Exclude<EngineAnswer, { is: "ok" }>): string =>
  answer.is === "refused" ? `HTTP ${answer.status} ${answer.message}`.trim() : answer.message;
