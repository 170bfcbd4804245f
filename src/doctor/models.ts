// Checks whether the models answer. Without a routing model orch uses the fallbacks [4.gate.error_fallback]
// [4.gate.approval_fallback]. Without an agent model it blocks agent tasks [1.A.5.agent_backend].
import { z } from "zod";
import type { Config } from "../config/config.ts";
import {
  contextOf,
  type Models,
  ROUTING_TOKENS,
  routeOf,
  type ServedModel,
  type ShownModel,
} from "../ollama/served-model.ts";
import { type AskRouting, timesFound } from "./ask-routing.ts";
import { broken, type Diagnosis, fallsBack, getJson, off, works } from "./examination.ts";

const Tags = z.object({ models: z.array(z.object({ name: z.string() })) });
const FALLBACK = "every question takes its fallback";
const UNANSWERED =
  "For timeouts raise ROUTING_TIMEOUT_MS or use a smaller model; for unusable answers use a larger one.";

export type RoutingLook = {
  /** Null where the model is only looked at. */
  readonly ask: AskRouting | null;
  /** How the last questions of a server went; null where nothing is to be said. */
  readonly notice: () => Promise<string | null>;
};

export async function examineRoutingModel(
  { routing_timeout_ms }: Pick<Config, "routing_timeout_ms">,
  { routing: model }: Models,
  { ask, notice }: RoutingLook,
): Promise<Diagnosis> {
  if (model === null) {
    const fix = "Set ROUTING_MODEL to a small model of Ollama, for example qwen2.5:1.5b-instruct.";
    return fallsBack(`there is none: ${FALLBACK}`, fix);
  }
  const looked = await lookAt(model, { variable: "ROUTING_URL", without: FALLBACK });
  if ("state" in looked) return looked;
  const [said, found] = await Promise.all([
    notice(),
    ask === null ? null : ask(model).then((asked) => timesFound(asked, routing_timeout_ms)),
  ]);
  const room = await contextFound(model, {
    needed: ROUTING_TOKENS,
    fix: "The longest questions take their fallback; use a model with a larger context.",
  });
  const all = [found, room, said === null ? null : fallsBack(said, UNANSWERED)];
  return joined(`${model.name} on ${serverOf(model)}`, all);
}

export async function examineAgentModel({ agent: model, routing }: Models): Promise<Diagnosis> {
  if (model === null) {
    const fix =
      "For agent tasks set AGENT_MODEL to a model of Ollama that can call tools, for example qwen2.5:7b-instruct.";
    return off("there is none: agent tasks are blocked", fix);
  }
  const looked = await lookAt(model, { variable: "AGENT_URL", without: "agent tasks fail" });
  if ("state" in looked) return looked;
  const { capabilities } = looked;
  if (capabilities !== null && !capabilities.includes("tools")) {
    const found = `${model.name} cannot call tools (it can do: ${capabilities.join(", ")}): agent tasks end at once`;
    const fix = "Set AGENT_MODEL to a model that can call tools, for example qwen2.5:7b-instruct.";
    // A small model for questions only is no fault where no other one was set for agents.
    return routing?.name === model.name ? off(found, fix) : broken(found, fix);
  }
  const room = await contextFound(model, {
    needed: model.wanted_tokens,
    fix: "Use a model with a larger context, or lower AGENT_CONTEXT_TOKENS to what it holds.",
  });
  return joined(`${model.name} on ${serverOf(model)}`, [room]);
}

const serverOf = ({ base_url }: ServedModel): string => `Ollama at ${new URL(base_url).origin}`;

/** The first that does not work gives the remedy; each gives its sentence. */
function joined(found: string, parts: readonly (Diagnosis | null)[]): Diagnosis {
  const all = parts.filter((part) => part !== null);
  const worst = all.find(({ state }) => state === "broken") ?? all.find(({ state }) => state === "falls_back");
  const text = [found, ...all.map((part) => part.found)].join("; ");
  return { ...(worst ?? works(text)), found: text };
}

type Room = { readonly needed: number; readonly fix: string };

/** Null where the server does not say how much the model holds. */
async function contextFound(model: ServedModel, { needed, fix }: Room): Promise<Diagnosis | null> {
  const { tokens, own_limit } = await contextOf(model);
  if (own_limit === null) return null;
  return tokens < needed
    ? fallsBack(`its context holds ${own_limit} tokens, and ${needed} are needed`, fix)
    : works(`context ${tokens} of ${own_limit} tokens`);
}

type Served = { readonly variable: string; readonly without: string };

async function lookAt(
  model: ServedModel,
  { variable, without }: Served,
): Promise<Diagnosis | Extract<ShownModel, { is: "shown" }>> {
  const answer = await getJson(routeOf(model, "tags"));
  const { origin } = new URL(model.base_url);
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
  const isListed = names.has(model.name) || names.has(`${model.name}:latest`);
  const shown = await model.shown();
  if (shown.is === "gone" || !isListed)
    return broken(`${server} does not have ${model.name}: ${without}`, `ollama pull ${model.name}`);
  return shown.is === "shown" ? shown : { is: "shown", context_tokens: null, capabilities: null };
}
