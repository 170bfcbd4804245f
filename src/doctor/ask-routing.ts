// Asks the routing model one question of each kind, and says how long the answers take beside the limit of a question.
import { z } from "zod";
import { createOllamaGate } from "../gate/ollama-gate.ts";
import { routeOf, type ServedModel } from "../ollama/served-model.ts";
import { broken, type Diagnosis, fallsBack, getJson, works } from "./examination.ts";

type Answer = { readonly fallback: string | null; readonly latency_ms: number };

/** `was_loaded` is null where the server does not say it. */
export type AskedRouting = {
  readonly was_loaded: boolean | null;
  readonly error: Answer;
  /** Null where the first question had no answer in time. */
  readonly approval: Answer | null;
};

export type AskRouting = (model: ServedModel) => Promise<AskedRouting>;

const LEAST_MS = 30_000;
const MOST_MS = 120_000;

/** How long a question of the doctor may take: longer than most of a task, so that the time of a slow answer is known. */
export const patienceFor = (timeout_ms: number): number => Math.min(MOST_MS, Math.max(LEAST_MS, timeout_ms));

const ERROR = {
  command: "curl -fsS http://127.0.0.1:8080/health",
  output: "curl: (7) Failed to connect to 127.0.0.1 port 8080: Connection refused",
};
const APPROVAL = { command: "df -h", categories: ["delete data", "restart a service"] };

const Loaded = z.object({ models: z.array(z.looseObject({ name: z.string() })) });

export const askRouting =
  (timeout_ms: number): AskRouting =>
  async (model) => {
    const was_loaded = await isLoaded(model);
    const gate = createOllamaGate({ model, timeout_ms: patienceFor(timeout_ms) });
    const error = await gate.classifyError(ERROR);
    const approval = error.fallback === "timeout" ? null : await gate.matchCategory(APPROVAL);
    return { was_loaded, error, approval };
  };

async function isLoaded(model: ServedModel): Promise<boolean | null> {
  const answer = await getJson(routeOf(model, "ps"));
  const loaded = "fault" in answer ? null : Loaded.safeParse(answer.body);
  if (loaded?.success !== true) return null;
  return loaded.data.models.some(({ name }) => name === model.name || name === `${model.name}:latest`);
}

const LARGER = "Use a larger model, or compare the formats: orch eval routing test/eval/routing.jsonl";
const FASTER = "Raise ROUTING_TIMEOUT_MS, or use a smaller model.";
const KEPT = "Keep the model loaded with ROUTING_KEEP_ALIVE, such as 24h, or raise ROUTING_TIMEOUT_MS.";

export function timesFound({ was_loaded, error, approval }: AskedRouting, timeout_ms: number): Diagnosis {
  const limit = `ROUTING_TIMEOUT_MS is ${seconds(timeout_ms)}`;
  if (approval === null) {
    return broken(`it did not answer within ${seconds(error.latency_ms)}, and ${limit}`, FASTER);
  }
  const cold_ms = was_loaded === true ? null : error.latency_ms;
  const warm_ms = was_loaded === true ? Math.max(error.latency_ms, approval.latency_ms) : approval.latency_ms;
  const cold = cold_ms === null ? "" : `${seconds(cold_ms)} cold, `;
  const times = `answers in ${cold}${seconds(warm_ms)} warm`;
  const unusable = [
    ["error", error.fallback],
    ["approval", approval.fallback],
  ].flatMap(([kind, fallback]) =>
    fallback === null ? [] : [`the ${kind} question had no usable answer (${fallback})`],
  );
  if (unusable.length > 0) return fallsBack([times, ...unusable].join("; "), LARGER);
  if (warm_ms > timeout_ms) return fallsBack(`${times}; ${limit}: every question takes its fallback`, FASTER);
  if (cold_ms !== null && cold_ms > timeout_ms)
    return fallsBack(`${times}; ${limit}: cold questions take their fallback`, KEPT);
  return works(`${times}; ${limit}`);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
