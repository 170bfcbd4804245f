// Describes one model at one address: what requests to it have in common, and what its server says of it.
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
