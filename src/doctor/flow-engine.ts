// Whether the flow engine answers and takes the token (spec section 4, Outbound: flow engine). Nothing is run there: whether
// it has the flow shows with the first task.
import type { Config } from "../config/config.ts";
import { createEngineApi, wordsOf } from "../execution/flow-engine/engine-api.ts";
import { createExchange, type EngineAnswer } from "../execution/flow-engine/exchange.ts";
import { broken, type Diagnosis, fallsBack, off, works } from "./diagnosis.ts";

const BOUNDS = { limit_ms: 5_000, max_bytes: 1_048_576 };

export async function examineFlowEngine({ flow_engine, tool_servers }: Config): Promise<Diagnosis> {
  if (flow_engine === null) return off("none: FLOWENGINE_URL is not set, and steps run on this machine");
  const { exchange, close } = createExchange(flow_engine, BOUNDS);
  const api = createEngineApi(exchange, flow_engine);
  try {
    const version = await api.version();
    if (version.is !== "ok") {
      return broken(answered(version), "Look at FLOWENGINE_URL, and whether the engine runs.");
    }
    const who = await api.whoami();
    // A token that may run the flow and nothing else may not ask this, and is known.
    if (who.is !== "ok" && !(who.is === "refused" && who.status === 403)) {
      return broken(answered(who), "Look at FLOWENGINE_TOKEN and FLOWENGINE_WORKSPACE.");
    }
    const found = `${version.text.trim().slice(0, 80)}; whether it has ${flow_engine.flow_path} shows with the first task`;
    const open = [...tool_servers].flatMap(([name, server]) => plainIn(`MCP_${name.toUpperCase()}`, server));
    return open.length === 0 ? works(found) : fallsBack(`${found}; ${open.join(", ")} ${RESTS}`, REFERENCE);
  } finally {
    await close();
  }
}

type ToolServer = Config["tool_servers"] extends ReadonlyMap<string, infer Server> ? Server : never;

/** The variables whose secret a job would be given as it is. */
const plainIn = (prefix: string, { url, token }: ToolServer): string[] => [
  ...(token === null || token.startsWith("$var:") ? [] : [`${prefix}_TOKEN`]),
  ...(new URL(url).username === "" ? [] : [`${prefix}_URL`]),
];

const RESTS = "would rest as plain text in the history of its jobs";
const REFERENCE = "Store the token in a secret variable of the engine, and set $var:<its path> instead.";

const answered = (answer: Exclude<EngineAnswer, { is: "ok" }>): string =>
  answer.is === "refused" ? `it answers ${wordsOf(answer)}` : answer.message;
