// Defines a tool of a tool server, a call of it and the answer. The console bundles it, so it hashes nothing.
import type { Json } from "./json.ts";
import type { BoundTool } from "./script.ts";
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
  readonly definition: { readonly [key: string]: Json };
};

/** `unlisted`: the server answers that it has no list. */
export type ToolListing =
  | { readonly is: "listed"; readonly tools: readonly DefinedTool[] }
  | { readonly is: "unlisted" }
  | UnreadList;

/** The server may have a list: another time it may be read. */
type UnreadList = {
  readonly is: "unread";
  readonly why: string;
  /** No request gets to the server, so no call does either. */
  readonly is_unreachable: boolean;
};

export type StatedEffect = ToolEffect | UnreadList;

const UNREAD = "the list of tools could not be read: ";

export const unreadText = ({ why }: Pick<UnreadList, "why">): string => `${UNREAD}${why}`;

/** Why an approval binds nothing of a tool whose list could not be read; null where it could. */
export const unreadListOf = ({ digest, says }: Pick<BoundTool, "digest" | "says">): string | null =>
  digest === null ? (says.find((line) => line.startsWith(UNREAD)) ?? null) : null;

/** For people: why an approval does not cover the tool. */
export const notCoveredText = (tool: Pick<BoundTool, "digest" | "says">): string =>
  `not covered: ${unreadListOf(tool) ?? "its server does not list it"}`;
