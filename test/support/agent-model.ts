// A model for agent mode on loopback that follows a script: a little Ollama which answers each request with the next turn, as the
// real one would stream it, or goes wrong in the way that a turn names. After the end of a list its last turn is repeated.
import { z } from "zod";
import type { ModelOptions } from "../simulators/ollama/model.ts";
import {
  type Behaviour,
  refuses as refusesWith,
  resetsMidStream,
  saysNothing,
  startOllama,
  streamsMessages,
  tokensOf,
} from "../simulators/ollama/ollama.ts";

const Request = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
});
type Request = z.infer<typeof Request>;

type Call = { readonly function: { readonly index: number; readonly name: string; readonly arguments: unknown } };

/** What the model replies with; `done_reason` is `stop` unless it says otherwise. */
type Reply = {
  readonly thinking?: string;
  readonly content?: string;
  readonly tool_calls?: readonly Call[];
  readonly done_reason?: string;
};

export type Turn = Reply | Behaviour;

/** Turns are counted from 1. */
export type Script = readonly [Turn, ...Turn[]] | ((request: Request, turn: number) => Turn);

export async function startScriptedModel(script: Script, options: ModelOptions = {}) {
  const asked: Request[] = [];
  const fake = await startOllama(
    (response, body) => {
      const request = Request.parse(JSON.parse(body));
      const turn = asked.push(request);
      return behaviourOf(turnOf(script, request, turn))(response, body);
    },
    0,
    options,
  );
  return {
    /** For the environment of an engine. */
    env: { AGENT_MODEL: "agent:8b", AGENT_URL: fake.base_url },
    base_url: fake.base_url,
    asked,
    model: fake.model,
    openSockets: fake.openSockets,
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}

const turnOf = (script: Script, request: Request, turn: number): Turn =>
  typeof script === "function" ? script(request, turn) : (script[turn - 1] ?? script.at(-1) ?? script[0]);

const behaviourOf = (turn: Turn): Behaviour => {
  if (typeof turn === "function") return turn;
  const { thinking = "", content = "", tool_calls = [], done_reason } = turn;
  const thoughts = tokensOf(thinking).map((part) => ({ thinking: part }));
  const texts = tokensOf(content).map((part) => ({ content: part }));
  return streamsMessages([...thoughts, ...texts, ...(tool_calls.length > 0 ? [{ tool_calls }] : [])], done_reason);
};

/** A text without a call. */
export const says = (text: string): Reply => ({ content: text });

/** A call that the model writes into its text, in a format of its own. */
export const inText = (written: string): Reply => ({ content: written });

/** Calls as the server reads them, all at once. */
export const calls = (...asked: readonly [name: string, given: object][]): Reply => ({
  tool_calls: asked.map(([name, given], index) => ({
    id: `call_${index}a1b2c3d`,
    function: { index, name, arguments: given },
  })),
});

/** A call whose arguments are text. */
export const malformed = (name: string, written: string): Reply => ({
  tool_calls: [{ function: { index: 0, name, arguments: written } }],
});

export const thinks = (thinking: string, reply: Reply): Reply => ({ ...reply, thinking });

/** Stopped by the limit of its answer. */
export const isCut = (reply: Reply): Reply => ({ ...reply, done_reason: "length" });

export const isSilent: Behaviour = saysNothing;

export const resets: Behaviour = resetsMidStream;

/** An object is sent as JSON. */
export const refuses = (status: number, body: string | object): Behaviour =>
  typeof body === "string"
    ? refusesWith(status, body)
    : refusesWith(status, JSON.stringify(body), { "content-type": "application/json; charset=utf-8" });
