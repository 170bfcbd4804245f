// A tool of a tool server, a call of it, and the answer.
import type { Json } from "./json.ts";
import type { ToolEffect } from "./step.ts";

export type ToolCall = {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, Json>>;
};

/** `executed` is false when the tool was certainly not run, and `unknown` when that cannot be determined. */
export type ToolAnswer =
  | { readonly ok: true; readonly stdout: string }
  | {
      readonly ok: false;
      readonly stderr: string;
      readonly executed: boolean | "unknown";
      readonly timed_out: boolean;
      /** The call did not reach the server. */
      readonly never_sent?: true;
    };

/** A tool as its server describes it. Its hints never widen what policy allows. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { readonly [key: string]: Json };
  readonly effect: ToolEffect;
  readonly idempotent: boolean;
};

/** With what an approval binds. */
export type DefinedTool = Tool & {
  /** The server says itself that the tool may destroy something. */
  readonly destructive: boolean;
  /** Everything that its server says of the tool. */
  readonly definition: { readonly [key: string]: Json };
};

/** `unreachable`: no request gets to the server, so no call does either. `unlisted`: there is no answer, or one without a list. */
export type ToolListing =
  | { readonly is: "listed"; readonly tools: readonly DefinedTool[] }
  | { readonly is: "unreachable" | "unlisted" };
