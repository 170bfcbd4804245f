// Checks whether the flow engine answers and accepts the token [1.A.6.flow_engine]. It runs nothing there: whether the engine has
// the flow shows the first task, or `--deep`.
import type { Config } from "../config/config.ts";
import {
  createEngineApi,
  createExchange,
  describeFailure,
  type EngineAnswer,
} from "../execution/flow-engine/engine-api.ts";
import { broken, type Diagnosis, fallsBack, off, works } from "./examination.ts";

const BOUNDS = { limit_ms: 5_000, max_bytes: 1_048_576 };
/** Of its two requests. */
export const ENGINE_LOOK_MS = 2 * BOUNDS.limit_ms;

export async function examineFlowEngine({ flow_engine, tool_servers }: Config): Promise<Diagnosis> {
  if (flow_engine === null) return off("none: FLOWENGINE_URL is not set, and steps run on this machine");
  const { exchange, close } = createExchange(flow_engine, BOUNDS);
  const api = createEngineApi(exchange, flow_engine);
  try {
    const version = await api.version();
    if (version.is !== "ok") {
      return broken(answered(version), "Check FLOWENGINE_URL, and whether the engine runs.");
    }
    const who = await api.whoami();
    // 403 means a known token whose rights are limited to the flow.
    if (who.is !== "ok" && !(who.is === "refused" && who.status === 403)) {
      return broken(answered(who), "Check FLOWENGINE_TOKEN and FLOWENGINE_WORKSPACE.");
    }
    const found = `${version.value}; --deep, or the first task, shows whether it has ${flow_engine.flow_path}`;
    const open = [...tool_servers].flatMap(([name, server]) => plainIn(`MCP_${name.toUpperCase()}`, server));
    return open.length === 0 ? works(found) : fallsBack(`${found}; ${open.join(", ")} ${STAYS}`, REFERENCE);
  } finally {
    await close();
  }
}

type ToolServer = Config["tool_servers"] extends ReadonlyMap<string, infer Server> ? Server : never;

/** The variables whose secret a job would receive as plain text. */
const plainIn = (prefix: string, { url, token }: ToolServer): string[] => [
  ...(token === null || token.startsWith("$var:") ? [] : [`${prefix}_TOKEN`]),
  ...(new URL(url).username === "" ? [] : [`${prefix}_URL`]),
];

const STAYS = "would stay as plain text in the history of its jobs";
const REFERENCE = "Store the token in a secret variable of the engine, and set $var:<its path> instead.";

const answered = (answer: Exclude<EngineAnswer, { is: "ok" }>): string =>
  answer.is === "refused" ? `it answers ${describeFailure(answer)}` : answer.message;
