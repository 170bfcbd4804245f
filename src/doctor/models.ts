// Checks whether the models answer. Without a routing model orch uses the fallbacks [4.gate.error_fallback]
// [4.gate.approval_fallback]. Without an agent model it blocks agent tasks [1.A.5.agent_backend].
import { z } from "zod";
import type { Config } from "../config/config.ts";
import { broken, type Diagnosis, fallsBack, off, works } from "./diagnosis.ts";
import { getJson } from "./get-json.ts";

const Tags = z.object({ models: z.array(z.object({ name: z.string() })) });
const FALLBACK = "every question takes its fallback";

export async function examineRoutingModel({ routing_model, routing_url }: Config): Promise<Diagnosis> {
  if (routing_model === null) {
    const fix = "Set ROUTING_MODEL to a small model of Ollama, for example qwen2.5:1.5b-instruct.";
    return fallsBack(`there is none: ${FALLBACK}`, fix);
  }
  return examine({ model: routing_model, url: routing_url, variable: "ROUTING_URL", without: FALLBACK });
}

export async function examineAgentModel({ agent: { model, url } }: Config): Promise<Diagnosis> {
  if (model === null) {
    const fix =
      "For agent tasks set AGENT_MODEL to a model of Ollama that can call tools, for example qwen2.5:7b-instruct.";
    return off("there is none: agent tasks are blocked", fix);
  }
  return examine({ model, url, variable: "AGENT_URL", without: "agent tasks fail" });
}

type Served = { readonly model: string; readonly url: string; readonly variable: string; readonly without: string };

async function examine({ model, url, variable, without }: Served): Promise<Diagnosis> {
  const answer = await getJson(`${url.replace(/\/+$/, "")}/api/tags`);
  const { origin } = new URL(url);
  const server = `Ollama at ${origin}`;
  if ("fault" in answer) {
    return broken(
      `${server} cannot be reached (${answer.fault}): ${without}`,
      `Start it with: ollama serve; or correct ${variable}.`,
    );
  }
  const tags = Tags.safeParse(answer.body);
  if (answer.status !== 200 || !tags.success) {
    return broken(`another program than Ollama answers at ${origin} (HTTP ${answer.status})`, `Correct ${variable}.`);
  }
  const names = new Set(tags.data.models.map(({ name }) => name));
  const isThere = names.has(model) || names.has(`${model}:latest`);
  if (isThere) return works(`${model} on ${server}`);
  return broken(`${server} does not have ${model}: ${without}`, `ollama pull ${model}`);
}
