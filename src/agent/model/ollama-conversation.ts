// Converts the conversation of an agent run into a request to Ollama (POST /api/chat).
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { z } from "zod";
import type { Json } from "../../domain/json.ts";
import type { AgentMessage, AskedCall, OfferedTool } from "../agent-message.ts";

export const toolsOf = (tools: readonly OfferedTool[]) =>
  tools.map(({ name, description, parameters }) => ({
    type: "function" as const,
    function: { name, description, parameters },
  }));

/** One message of the library for each, in the same order. */
export const messagesOf = (messages: readonly AgentMessage[], redact: (text: string) => string): BaseMessage[] =>
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

/** Adds what the library leaves out of the request: the call that a tool's message answers. */
export const amendedFor = (messages: readonly AgentMessage[]) => (request: object) => {
  const { messages: sent, ...rest } = Request.parse(request);
  return { ...rest, messages: sent.map((body, position) => amended(body, messages[position])) };
};

const amended = (body: object, message: AgentMessage | undefined): object =>
  message?.role === "tool" ? { ...body, tool_name: message.name, tool_call_id: message.call_id } : body;
