// Describes one model at one address: what requests to it have in common, what its server says of it, and its load before the
// first question.
import { z } from "zod";
import { parseJson } from "../domain/json-values.ts";
import { sendRequest } from "../http-client/request.ts";

export const ROUTING_FORMATS = ["json", "schema"] as const;
export type RoutingFormat = (typeof ROUTING_FORMATS)[number];

/** `null`: the server does not say. `gone`: the server is an Ollama, and does not have the model. */
export type ShownModel =
  | { readonly is: "shown"; readonly context_tokens: number | null; readonly capabilities: readonly string[] | null }
  | { readonly is: "gone" }
  | { readonly is: "unknown" };

export type ServedModel = {
  readonly name: string;
  readonly base_url: string;
  /** The context that is asked for, where the model holds as much. */
  readonly wanted_tokens: number;
  /** How the answers to routing questions are bound to their form. */
  readonly format: RoutingFormat;
  /** How long the server keeps the model after a request; null for its default. */
  readonly keep_alive: string | number | null;
  /** Reads /api/show once. A model that is gone is looked for with the next call; what could not be read, after a minute. */
  readonly shown: () => Promise<ShownModel>;
};

type Described = Pick<ServedModel, "name" | "base_url"> &
  Partial<Pick<ServedModel, "wanted_tokens" | "format" | "keep_alive">>;

/** Holds the longest routing question at one to two bytes a token. */
export const ROUTING_TOKENS = 8_192;

const AGAIN_MS = 60_000;

/** `now`: milliseconds on a monotonic clock. */
export function describeModel(given: Described, now: () => number = () => performance.now()): ServedModel {
  const { wanted_tokens = ROUTING_TOKENS, format = "json", keep_alive = null, name, base_url } = given;
  let known: Promise<ShownModel> | null = null;
  let again_at = Number.POSITIVE_INFINITY;
  const shown = (): Promise<ShownModel> => {
    if (known !== null && now() < again_at) return known;
    again_at = Number.POSITIVE_INFINITY;
    known = readShown({ name, base_url }).then((found) => {
      if (found.is !== "shown") again_at = now() + (found.is === "gone" ? 0 : AGAIN_MS);
      return found;
    });
    return known;
  };
  return { name, base_url, wanted_tokens, format, keep_alive, shown };
}

export const routeOf = ({ base_url }: Pick<ServedModel, "base_url">, route: string): string =>
  `${base_url.replace(/\/+$/, "")}/api/${route}`;

const Show = z.looseObject({
  capabilities: z.array(z.string()).optional(),
  model_info: z.record(z.string(), z.unknown()),
});
const Gone = z.looseObject({ error: z.string().regex(/not found/) });
const ContextTokens = z.int().min(1).max(1_073_741_824);
const Capability = z.string().regex(/^[a-z_]{1,30}$/);

const SHOW_MS = 3_000;
/** The template, the license and the names of all tensors are part of it. */
const SHOW_BYTES = 8 * 1_048_576;

async function readShown(model: Pick<ServedModel, "name" | "base_url">): Promise<ShownModel> {
  const answer = await sendRequest({
    method: "POST",
    url: routeOf(model, "show"),
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: model.name }),
    limit_ms: SHOW_MS,
    max_bytes: SHOW_BYTES,
  });
  if (!answer.ok) return { is: "unknown" };
  const body = parseJson(answer.text);
  if (answer.status === 404 && Gone.safeParse(body).success) return { is: "gone" };
  const show = Show.safeParse(body);
  if (answer.status !== 200 || !show.success) return { is: "unknown" };
  const { capabilities, model_info } = show.data;
  return {
    is: "shown",
    context_tokens: contextIn(model_info),
    capabilities: capabilities?.filter((name) => Capability.safeParse(name).success) ?? null,
  };
}

/** Of the architecture that the model has; a part of it, such as that for images, may have a context of its own. */
function contextIn(info: Readonly<Record<string, unknown>>): number | null {
  const found = ContextTokens.safeParse(info[`${String(info["general.architecture"])}.context_length`]);
  return found.success ? found.data : null;
}

/** `own_limit`: what the model holds; null where that is not known. */
export type ModelContext = { readonly tokens: number; readonly own_limit: number | null };

/** The same for every request to the model, because Ollama loads it anew where the context changes. Rejects with the reason of the signal. */
export async function contextOf({ wanted_tokens, shown }: ServedModel, signal?: AbortSignal): Promise<ModelContext> {
  signal?.throwIfAborted();
  const found = await unlessAborted(shown(), signal);
  const own_limit = found.is === "shown" ? found.context_tokens : null;
  return { tokens: Math.min(wanted_tokens, own_limit ?? wanted_tokens), own_limit };
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const LOAD_MS = 120_000;
const MAX_BYTES = 65_536;

/**
 * Has the server load a model before the first question to it. A failure of the load shows with the question. Sends one request
 * at a time; a call while one is under way does nothing.
 */
export function createLoader(model: ServedModel): () => void {
  let isLoading = false;
  return () => {
    if (isLoading) return;
    isLoading = true;
    void loadModel(model).finally(() => {
      isLoading = false;
    });
  };
}

/** Resolves when the model is loaded, could not be, or the signal is aborted. A request without a prompt only loads. */
export async function loadModel(model: ServedModel, signal?: AbortSignal): Promise<void> {
  const context = await contextOf(model, signal).catch(() => null);
  if (context === null) return;
  await sendRequest({
    method: "POST",
    url: routeOf(model, "generate"),
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: model.name,
      stream: false,
      options: { num_ctx: context.tokens },
      ...(model.keep_alive !== null && { keep_alive: model.keep_alive }),
    }),
    limit_ms: LOAD_MS,
    max_bytes: MAX_BYTES,
    signal,
  });
}

type Configured = {
  readonly routing_model: string | null;
  readonly routing_url: string;
  readonly routing_format: RoutingFormat;
  readonly routing_keep_alive: string | null;
  readonly agent: { readonly model: string | null; readonly url: string; readonly context_tokens: number };
};

export type Models = { readonly routing: ServedModel | null; readonly agent: ServedModel | null };

/** Describes the routing model and the agent model of a configuration. One model at one address has one description. */
export function modelsOf(config: Configured): Models {
  const { routing_model, routing_url: base_url, routing_format: format, routing_keep_alive } = config;
  const keep_alive = keepAliveOf(routing_keep_alive);
  const { model, url, context_tokens: wanted_tokens } = config.agent;
  const agent = model === null ? null : describeModel({ name: model, base_url: url, wanted_tokens });
  if (routing_model === null) return { routing: null, agent };
  const own = { name: routing_model, base_url };
  if (agent === null || !isSame(agent, own)) return { routing: describeModel({ ...own, format, keep_alive }), agent };
  return { routing: { ...agent, ...own, format, keep_alive }, agent: { ...agent, keep_alive } };
}

type Named = Pick<ServedModel, "name" | "base_url">;

const isSame = (one: Named, other: Named): boolean =>
  fullName(one.name) === fullName(other.name) && addressOf(one) === addressOf(other);

const fullName = (name: string): string => (name.includes(":") ? name : `${name}:latest`);

function addressOf({ base_url }: Named): string {
  const url = new URL(base_url);
  if (url.hostname === "localhost") url.hostname = "127.0.0.1";
  return url.href.replace(/\/+$/, "");
}

/** Ollama reads a number as seconds, and a text as a duration with its unit. */
const keepAliveOf = (text: string | null): string | number | null =>
  text !== null && /^-?\d+$/.test(text) ? Number(text) : text;
