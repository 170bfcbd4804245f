// Whether the routing model can be asked (spec section 4, Routing gate). Without it orch works on the fallbacks.
import { z } from "zod";
import type { Config } from "../config.ts";
import { broken, type Diagnosis, fallsBack, works } from "./diagnosis.ts";
import { getJson } from "./get-json.ts";

const Tags = z.object({ models: z.array(z.object({ name: z.string() })) });
const FALLBACK = "every question takes its fallback";

export async function examineRoutingModel({ routing_model, routing_url }: Config): Promise<Diagnosis> {
  if (routing_model === null) {
    const fix = "Set ROUTING_MODEL to a small model of Ollama, for example qwen2.5:1.5b-instruct.";
    return fallsBack(`there is none: ${FALLBACK}`, fix);
  }
  const answer = await getJson(`${routing_url.replace(/\/+$/, "")}/api/tags`);
  const place = `Ollama at ${new URL(routing_url).origin}`;
  if ("fault" in answer) {
    return broken(
      `${place} cannot be reached (${answer.fault}): ${FALLBACK}`,
      "Start it with: ollama serve; or correct ROUTING_URL.",
    );
  }
  const tags = Tags.safeParse(answer.body);
  if (answer.status !== 200 || !tags.success) {
    return broken(
      `something else than Ollama answers at ${place.slice(10)} (HTTP ${answer.status})`,
      "Correct ROUTING_URL.",
    );
  }
  const names = new Set(tags.data.models.map(({ name }) => name));
  const isThere = names.has(routing_model) || names.has(`${routing_model}:latest`);
  if (isThere) return works(`${routing_model} on ${place}`);
  return broken(`${place} does not have ${routing_model}: ${FALLBACK}`, `ollama pull ${routing_model}`);
}
