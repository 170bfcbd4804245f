// The model of agent mode, on Ollama (spec section 1, agent backends): one request under a hard limit for each reply. Its calls are
// read from where its server puts them, else from its text; whatever is no reply is a fault with a stable code.
import type { AIMessageChunk } from "@langchain/core/messages";
import { boundedOllama } from "../../ollama/bounded-ollama.ts";
import { fault, reasonOf } from "../../ollama/fault.ts";
import type { AgentModel, ModelReply } from "../port.ts";
import { argumentsOf, type WrittenCall } from "./call-shapes.ts";
import { callsInText } from "./calls-in-text.ts";
import { amendedFor, messagesOf, toolsOf } from "./ollama-conversation.ts";
import { quotationsIn } from "./quotations.ts";

/** Few texts take fewer: long runs of digits, and scripts that the model does not know. */
const BYTES_PER_TOKEN = 2;

type OllamaAgentModel = {
  readonly model: string;
  readonly base_url: string;
  readonly timeout_ms: number;
  /** Room for the conversation, its tools and the answer. */
  readonly context_tokens: number;
  /** Of that, for the answer with what the model says to itself before. */
  readonly answer_tokens: number;
  /** Takes secrets out of whatever is sent. */
  readonly redact?: (text: string) => string;
  /** Milliseconds on a clock that only moves forward. */
  readonly now?: () => number;
};

type Question = Parameters<AgentModel["reply"]>[0];

export const createOllamaAgentModel = (options: OllamaAgentModel): AgentModel => ({
  name: options.model,
  context_bytes: Math.max(0, options.context_tokens - options.answer_tokens) * BYTES_PER_TOKEN,
  reply: (question, signal) => ask(options, question, signal),
});

async function ask(options: OllamaAgentModel, question: Question, signal: AbortSignal): Promise<ModelReply> {
  const { model, base_url, context_tokens, answer_tokens, now = () => performance.now() } = options;
  const { redact = (text) => text } = options;
  const begun = now();
  const ended = new AbortController();
  const latency = () => Math.round(now() - begun);
  try {
    const messages = messagesOf(question.messages, redact);
    const chat = boundedOllama({
      ...{ model, base_url, context_tokens, answer_tokens },
      deadline_ms: options.timeout_ms,
      amend: amendedFor(question.messages),
      signal: AbortSignal.any([ended.signal, signal]),
    });
    const said = await heard(await chat.stream(messages, { tools: toolsOf(question.tools) }));
    return { is: "reply", ...replyOf(said, question), latency_ms: latency() };
  } catch (error) {
    return { is: "fault", fault: signal.aborted ? "aborted" : reasonOf(error), latency_ms: latency() };
  } finally {
    // The library may leave an answer half read; nothing of this call stays open.
    ended.abort();
  }
}

type Said = { readonly text: string; readonly thinking: string; readonly calls: readonly WrittenCall[] };

/** Chunk by chunk: put together by the library, calls lose arguments that are not an object. */
async function heard(chunks: AsyncIterable<AIMessageChunk>): Promise<Said> {
  let text = "";
  let thinking = "";
  const calls: WrittenCall[] = [];
  let is_whole = false;
  for await (const { text: part, additional_kwargs, tool_call_chunks = [], response_metadata } of chunks) {
    text += part;
    thinking += additional_kwargs["reasoning_content"] ?? "";
    for (const { name = "", args = "{}" } of tool_call_chunks)
      calls.push({ name, arguments: argumentsOf(JSON.parse(args)) });
    is_whole = response_metadata["done"] === true;
  }
  if (!is_whole) throw fault("truncated", "the stream was left early");
  return { text, thinking, calls };
}

function replyOf({ text: written, thinking: native, calls: asked }: Said, { messages, tools }: Question) {
  const read = callsInText(written, asked.length > 0 ? [] : tools, quotationsIn(messages));
  const thinking = [native.trim(), read.thinking ?? ""].filter((part) => part !== "").join("\n\n");
  const calls = asked.length > 0 ? asked : read.calls;
  return {
    text: read.text,
    thinking: thinking === "" ? null : thinking,
    calls: calls.map((call, position) => ({ call_id: `call-${position + 1}`, ...call })),
  };
}
