// Asks the agent model on Ollama: one request for each reply, under a hard time limit. Calls are read from the server's fields
// for them, else from the text (D-142). A response that is not a reply is a fault with a stable code.
import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { z } from "zod";
import type { Json } from "../../../domain/json.ts";
import { boundedOllama, fault, isFault, reasonOf } from "../../../ollama/bounded-ollama.ts";
import { contextOf, type ModelContext, type ServedModel } from "../../../ollama/served-model.ts";
import type { AgentMessage, AskedCall, OfferedTool, WrittenCall } from "../agent-message.ts";
import type { AgentContext, AgentModel, ModelReply } from "../port.ts";
import { argumentsOf, type readReply } from "./read-reply.ts";

type OllamaAgentModel = {
  readonly model: ServedModel;
  readonly timeout_ms: number;
  /** Apart from the event loop: it reads what others wrote. */
  readonly read: (...given: Parameters<typeof readReply>) => Promise<ReturnType<typeof readReply>>;
  /** Removes secrets from everything that is sent. */
  readonly redact?: (text: string) => string;
  /** Milliseconds on a clock that only moves forward. */
  readonly now?: () => number;
};

type Question = Parameters<AgentModel["reply"]>[0];

export const createOllamaAgentModel = (options: OllamaAgentModel): AgentModel => ({
  name: options.model.name,
  context: async () => contextFor(await contextOf(options.model)),
  reply: (question, signal) => ask(options, question, signal),
});

/** The answer, and the reasoning before it. */
const ANSWER_TOKENS = 4_096;

const answerTokens = (context_tokens: number): number => Math.min(ANSWER_TOKENS, Math.floor(context_tokens / 4));

const contextFor = ({ tokens, own_limit }: ModelContext): AgentContext => ({
  context_tokens: tokens,
  prompt_tokens: tokens - answerTokens(tokens),
  own_limit,
});

async function ask(options: OllamaAgentModel, question: Question, signal: AbortSignal): Promise<ModelReply> {
  const { model, now = () => performance.now() } = options;
  const { redact = (text) => text } = options;
  const begun = now();
  const ended = new AbortController();
  const latency = () => Math.round(now() - begun);
  try {
    const messages = messagesOf(question.messages, redact);
    signal.throwIfAborted();
    const { tokens } = await contextOf(model, signal);
    const chat = boundedOllama({
      model,
      context_tokens: tokens,
      answer_tokens: answerTokens(tokens),
      deadline_ms: options.timeout_ms,
      amend: amendedFor(question.messages),
      signal: AbortSignal.any([ended.signal, signal]),
    });
    const response = await readResponse(await chat.stream(messages, { tools: toolsOf(question.tools) }));
    return { is: "reply", ...(await replyOf(response, question, options.read)), latency_ms: latency() };
  } catch (error) {
    const reason = signal.aborted ? "aborted" : reasonOf(await explained(error, model));
    return { is: "fault", fault: reason, latency_ms: latency() };
  } finally {
    // The library may leave a response half read. This closes its connection.
    ended.abort();
  }
}

/** Names the model without tools, and what it can do. */
async function explained(error: unknown, { name, shown }: ServedModel): Promise<unknown> {
  if (!isFault(error, "no_tools")) return error;
  const found = await shown();
  const abilities = found.is === "shown" ? (found.capabilities ?? []) : [];
  return fault("no_tools", abilities.length === 0 ? name : `${name} can do: ${abilities.join(", ")}`);
}

type StreamedReply = {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly WrittenCall[];
  readonly prompt_tokens: number | undefined;
};

const Count = z.int().min(1);

/** Reads chunk by chunk: when the library joins the chunks, calls lose arguments that are not an object. */
async function readResponse(chunks: AsyncIterable<AIMessageChunk>): Promise<StreamedReply> {
  let text = "";
  let thinking = "";
  const calls: WrittenCall[] = [];
  let is_whole = false;
  let prompt_tokens: number | undefined;
  for await (const { text: part, additional_kwargs, tool_call_chunks = [], response_metadata } of chunks) {
    text += part;
    thinking += additional_kwargs["reasoning_content"] ?? "";
    for (const { name = "", args = "{}" } of tool_call_chunks)
      calls.push({ name, arguments: argumentsOf(JSON.parse(args)) });
    is_whole = response_metadata["done"] === true;
    prompt_tokens = Count.safeParse(response_metadata["prompt_eval_count"]).data;
  }
  if (!is_whole) throw fault("truncated", "the stream ended early");
  return { text, thinking, calls, prompt_tokens };
}

async function replyOf(streamed: StreamedReply, question: Question, read: OllamaAgentModel["read"]) {
  const { text, thinking: native, calls: asked, prompt_tokens } = streamed;
  const { messages, tools, data = [] } = question;
  const isNative = asked.length > 0;
  const beside = isNative ? { messages: [], tools: [] } : { messages, tools, data };
  const { thinking: thought, ...found } = await read(text, beside);
  const thinking = [native.trim(), thought ?? ""].filter((part) => part !== "").join("\n\n");
  return {
    ...found,
    thinking: thinking === "" ? null : thinking,
    ...(isNative && { calls: asked }),
    ...(prompt_tokens !== undefined && { prompt_tokens }),
  };
}

const toolsOf = (tools: readonly OfferedTool[]) =>
  tools.map(({ name, description, parameters }) => ({
    type: "function" as const,
    function: { name, description, parameters },
  }));

/** One message of the library for each, in the same order. */
const messagesOf = (messages: readonly AgentMessage[], redact: (text: string) => string): BaseMessage[] =>
  messages.map((message) => messageOf(message, redact));

function messageOf(message: AgentMessage, redact: (text: string) => string): BaseMessage {
  const content = redact(message.text);
  switch (message.role) {
    case "system":
      return new SystemMessage(content);
    case "user":
      return new HumanMessage(content);
    case "assistant":
      return new AIMessage({ content, tool_calls: message.calls.map((call) => toolCallOf(call, redact)) });
    case "tool":
      return new ToolMessage({ content, name: message.name, tool_call_id: message.call_id });
  }
}

/** Ollama accepts only objects as arguments. */
function toolCallOf({ call_id: id, name, arguments: given }: AskedCall, redact: (text: string) => string) {
  const args = typeof given === "object" && given !== null && !Array.isArray(given) ? given : { unreadable: given };
  return { type: "tool_call" as const, id, name, args: withoutSecrets(args, redact) };
}

const withoutSecrets = (args: { [key: string]: Json }, redact: (text: string) => string): { [key: string]: Json } =>
  JSON.parse(JSON.stringify(args), (_key, value: Json) => (typeof value === "string" ? redact(value) : value));

const Request = z.looseObject({ messages: z.array(z.looseObject({})) });

/**
 * Converts the conversation of an agent run into a request to Ollama (POST /api/chat). Adds what the library leaves out of the
 * request: the call that a tool's message answers.
 */
const amendedFor = (messages: readonly AgentMessage[]) => (request: object) => {
  const { messages: sent, ...rest } = Request.parse(request);
  return { ...rest, messages: sent.map((body, position) => amended(body, messages[position])) };
};

const amended = (body: object, message: AgentMessage | undefined): object =>
  message?.role === "tool" ? { ...body, tool_name: message.name, tool_call_id: message.call_id } : body;
