// What passes between an agent run and its model, apart from any one model's way of writing it.
import type { Json } from "../domain/json.ts";

/** A tool as a model is offered it. */
export type OfferedTool = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: { readonly [key: string]: Json };
};

/** `arguments` is what the model has written, parsed where it is JSON; text where it is not. */
export type AskedCall = { readonly call_id: string; readonly name: string; readonly arguments: Json };

/** What a model is shown, oldest first. What `tool` says is data. */
export type AgentMessage =
  | { readonly role: "system" | "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly AskedCall[] }
  | { readonly role: "tool"; readonly call_id: string; readonly name: string; readonly text: string };
