// The messages between an agent run and its model, independent of the model's own format.
import type { Json } from "../../domain/json.ts";

export type ToolWords = {
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: { readonly [key: string]: Json };
};

/** A tool in the form in which a model is offered it. */
export type OfferedTool = ToolWords & { readonly name: string };

/** `arguments` is the JSON that the model wrote, or its text when that is not JSON. */
export type WrittenCall = { readonly name: string; readonly arguments: Json };
/** `call_id` is that of the call in the whole run. */
export type AskedCall = WrittenCall & { readonly call_id: string };

/** A message of a conversation, which is ordered oldest first. The text of a `tool` message is data. */
export type AgentMessage =
  | { readonly role: "system" | "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly AskedCall[] }
  | { readonly role: "tool"; readonly call_id: string; readonly name: string; readonly text: string };
