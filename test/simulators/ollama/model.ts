// Keeps the one model of the simulator as Ollama keeps it: described by /api/show, loaded with a context that is clamped to its own,
// loaded anew where a request asks for another one, and refusing what does not fit or what it cannot do.
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export type ModelOptions = {
  /** The names that it has; any name when they are not given. */
  readonly names?: readonly string[];
  readonly capabilities?: readonly string[];
  /** What it holds at most. */
  readonly context_length?: number;
  /** How long a load takes. */
  readonly load_ms?: number;
  /** Answers these routes in place of the real answers: a status with a text, or silence. */
  readonly routes?: Readonly<Record<string, readonly [status: number, body: string] | "is silent">>;
};

/** `loads` has the context of each load, as it was clamped. `looks` are the requests that were no question, `cut` the questions cut silently. */
export type SimulatedModel = {
  readonly loads: readonly number[];
  readonly looks: readonly { readonly route: string; readonly body: string }[];
  readonly cut: () => number;
  readonly unload: () => void;
  /** Answers a request about the model; false for any other. */
  readonly answers: (route: string, response: ServerResponse, body: string) => Promise<boolean>;
  /** Loads what a question needs, and refuses what it cannot answer; false where it can. */
  readonly refuses: (response: ServerResponse, body: string) => Promise<boolean>;
};

const CHARACTERS_PER_TOKEN = 4;
/** Of Ollama, where a request names none. */
const DEFAULT_CONTEXT = 4_096;

type Asking = {
  readonly model?: string;
  readonly messages?: readonly { readonly content?: string }[];
  readonly tools?: readonly unknown[];
  readonly truncate?: boolean;
  readonly options?: { readonly num_ctx?: number; readonly num_predict?: number };
};

const askingIn = (body: string): Asking => {
  try {
    return JSON.parse(body) as Asking;
  } catch {
    return {};
  }
};

/** How many tokens the answer to this request may take. */
export const limitIn = (body: string): number => askingIn(body).options?.num_predict ?? Number.POSITIVE_INFINITY;

const sendJson = (response: ServerResponse, status: number, body: object): true => {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
  return true;
};

export function createSimulatedModel(options: ModelOptions): SimulatedModel {
  const { names, capabilities = ["completion", "tools"], context_length = 131_072, load_ms = 0, routes = {} } = options;
  const loads: number[] = [];
  const looks: { route: string; body: string }[] = [];
  let loaded: { model: string; context: number; ready: Promise<void> } | null = null;
  let cut = 0;

  const has = (name = ""): boolean =>
    names === undefined || names.some((one) => one === name || one === `${name}:latest`);
  const load = async (asking: Asking): Promise<number> => {
    const context = Math.min(context_length, asking.options?.num_ctx ?? DEFAULT_CONTEXT);
    const model = asking.model ?? "";
    if (loaded?.model !== model || loaded.context !== context) {
      loads.push(context);
      loaded = { model, context, ready: sleep(load_ms) };
    }
    await loaded.ready;
    return context;
  };
  const describe = ({ model }: Asking, response: ServerResponse) =>
    has(model)
      ? sendJson(response, 200, {
          capabilities,
          details: { family: "llama", parameter_size: "135M" },
          model_info: { "general.architecture": "llama", "llama.context_length": context_length },
        })
      : sendJson(response, 404, { error: `model '${model}' not found` });
  const listed = () =>
    loaded === null ? [] : [{ name: loaded.model, model: loaded.model, context_length: loaded.context }];

  const ROUTES: Readonly<Record<string, (asking: Asking, response: ServerResponse) => true | Promise<true>>> = {
    "/api/show": describe,
    "/api/tags": (_asking, response) =>
      sendJson(response, 200, { models: (names ?? ["small:1b", "agent:8b"]).map((name) => ({ name, model: name })) }),
    "/api/ps": (_asking, response) => sendJson(response, 200, { models: listed() }),
    "/api/generate": async (asking, response) => {
      if (!has(asking.model)) return sendJson(response, 404, { error: `model '${asking.model}' not found` });
      await load(asking);
      return sendJson(response, 200, { model: asking.model, response: "", done: true, done_reason: "load" });
    },
  };

  return {
    loads,
    looks,
    cut: () => cut,
    unload: () => {
      loaded = null;
    },
    answers: async (route, response, body) => {
      const answer = ROUTES[route];
      const instead = routes[route];
      if (answer === undefined && instead === undefined) return false;
      looks.push({ route, body });
      if (instead === "is silent") return true;
      if (instead === undefined) return (await answer?.(askingIn(body), response)) ?? false;
      response.writeHead(instead[0]);
      response.end(instead[1]);
      return true;
    },
    refuses: async (response, body) => {
      const asking = askingIn(body);
      if (!Array.isArray(asking.messages)) return false;
      if (!has(asking.model)) return sendJson(response, 404, { error: `model '${asking.model}' not found` });
      if ((asking.tools ?? []).length > 0 && !capabilities.includes("tools"))
        return sendJson(response, 400, { error: `registry.ollama.ai/library/${asking.model} does not support tools` });
      const context = await load(asking);
      const characters = asking.messages.reduce((sum, { content = "" }) => sum + content.length, 0);
      if (characters / CHARACTERS_PER_TOKEN <= context) return false;
      if (asking.truncate === false)
        return sendJson(response, 400, { error: "the input length exceeds the context length" });
      cut += 1;
      return false;
    },
  };
}
