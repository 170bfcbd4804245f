// Describes the routing model and the agent model of a configuration. One model at one address has one description.
import { describeModel, type RoutingFormat, type ServedModel } from "./served-model.ts";

type Configured = {
  readonly routing_model: string | null;
  readonly routing_url: string;
  readonly routing_format: RoutingFormat;
  readonly routing_keep_alive: string | null;
  readonly agent: { readonly model: string | null; readonly url: string; readonly context_tokens: number };
};

export type Models = { readonly routing: ServedModel | null; readonly agent: ServedModel | null };

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
