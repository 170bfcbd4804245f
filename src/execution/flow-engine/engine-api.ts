// Sends requests to a flow engine [4.flow.invoke], each once, and reads the parts of its responses that orch needs. The path of a
// flow is part of the URL without encoding, including its slashes.
import { z } from "zod";
import { parseJson } from "../../domain/json-values.ts";
import { listenerCheck } from "../../http-client/listener.ts";
import { isRedirect, type NoResponse, REDIRECTED, sendRequest } from "../../http-client/request.ts";

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

export type Engine = {
  readonly url: string;
  readonly token: string;
  readonly workspace: string;
  /** Whose listener on loopback is sent the token: that of this account, of any, or (null) of root and this account. */
  readonly peer?: string | null;
};

export type EngineAnswer =
  | { readonly is: "ok"; readonly text: string }
  /** `message` is the head of its answer. */
  | { readonly is: "refused"; readonly status: number; readonly message: string; readonly retry_after_ms: number }
  | { readonly is: "too_large"; readonly message: string }
  /** It never left. */
  | { readonly is: "unreachable"; readonly message: string }
  /** It may have arrived. */
  | { readonly is: "lost"; readonly message: string };

type EngineRequest = {
  readonly method: "GET" | "POST";
  /** After `/api`, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
};

type EngineExchange = (asked: EngineRequest) => Promise<EngineAnswer>;

type ExchangeLimits = { readonly limit_ms: number; readonly max_bytes: number };

/** Cut again where it is shown, and redacted before. */
const HEAD = 16_384;
const LONGEST_RETRY_AFTER_MS = 60_000;

/** One request to a flow engine, sent once: what it answered, or why there is no answer. */
export function createExchange({ url, token, peer = null }: Engine, { limit_ms, max_bytes }: ExchangeLimits) {
  const closing = new AbortController();
  const base = `${addressOf(url)}/api`;
  const verify = listenerCheck({ account: peer, variable: "FLOWENGINE_PEER" });

  const exchange: EngineExchange = async ({ method, path, body, signal }) => {
    const response = await sendRequest({
      method,
      url: base + path,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      limit_ms,
      max_bytes,
      verify,
      signal: signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]),
    });
    if (!response.ok) return noAnswer(response, max_bytes);
    const { status, text, headers } = response;
    if (status >= 200 && status <= 299) return { is: "ok", text };
    // A redirect is an answer: the server that gave it has run nothing.
    if (isRedirect(status)) return { is: "refused", status: 302, message: REDIRECTED, retry_after_ms: 0 };
    const retry_after_ms = retryAfter(headers["retry-after"]);
    return { is: "refused", status, message: text.slice(0, HEAD).trim(), retry_after_ms };
  };

  return { exchange, close: async (): Promise<void> => closing.abort() };
}

/** One form for all ways to write it. */
export const addressOf = (url: string): string => new URL(url).href.replace(/\/+$/, "").replace(/\/api$/, "");

function noAnswer({ fault: { code, message, sent } }: NoResponse, max_bytes: number): EngineAnswer {
  if (code === "too_large") return { is: "too_large", message: `its answer has more than ${max_bytes} bytes` };
  return { is: sent ? "lost" : "unreachable", message };
}

/** Seconds, or a date by a clock that may be far off: bounded either way. */
function retryAfter(value: string | undefined): number {
  if (value === undefined) return 0;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms));
}
