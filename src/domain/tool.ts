// Defines a tool of a tool server, a call of it and the answer, and binds an approval to the tools that its steps call.
import { digestOf, type Json } from "./json.ts";
import { canonicalJson, isRecord } from "./json-values.ts";
import { printable } from "./printable.ts";
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

// Binds an approval to the tools that its steps call, as their servers defined them: the digest covers the whole definition, and a human
// reads the server's own words.

/** Texts of a server are data of a stranger: shortened, in one line, and without anything that is not seen. */
const MOST_DESCRIBED = 600;
const MOST_OF_A_PART = 200;
const MOST_LINES = 60;

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most)}…`);

export function boundTool(
  { server, tool }: Pick<BoundTool, "server" | "tool">,
  listing: ToolListing,
  redact: (text: string) => string,
): BoundTool {
  const named = { server, tool };
  const tools = listing.is === "listed" ? listing.tools.filter(({ name }) => name === tool) : [];
  if (listing.is === "unread")
    return { ...named, digest: null, says: [printable(redact(unreadText(listing))).toWellFormed()] };
  if (tools.length === 0) return { ...named, digest: null, says: [] };
  const definitions = tools.map(({ definition }) => definition);
  const [only] = definitions;
  // Servers that give a name twice are asked about all that it may mean.
  const digest = definitions.length === 1 ? digestOf(only) : digestOf(definitions.map(canonicalJson).toSorted());
  const lines = definitions.flatMap(linesOf).map((line) => printable(redact(line)).toWellFormed());
  const isDestructive = tools.some(({ destructive }) => destructive);
  return { ...named, digest, ...(isDestructive && { destructive: true }), says: lines.slice(0, MOST_LINES) };
}

/** What the server describes the tool as, in one line; empty where it does not describe it. */
export const descriptionIn = ({ says }: Pick<BoundTool, "says">): string =>
  says.find((line) => line.startsWith(DESCRIPTION))?.slice(DESCRIPTION.length) ?? "";

const DESCRIPTION = "description: ";

function linesOf({ title, description, inputSchema, outputSchema, annotations }: DefinedTool["definition"]): string[] {
  return [
    ...(typeof title === "string" ? [`title: ${quoted(title, MOST_OF_A_PART)}`] : []),
    ...(typeof description === "string" ? [`${DESCRIPTION}${quoted(description, MOST_DESCRIBED)}`] : []),
    ...(isRecord(annotations) ? Object.keys(annotations).sort() : []).map(
      (name) => `hint ${shown(name)}: ${json((annotations as Record<string, unknown>)[name])}`,
    ),
    ...inputLines(isRecord(inputSchema) ? inputSchema : {}),
    ...(outputSchema === undefined ? [] : [`output: ${json(outputSchema)}`]),
  ];
}

function inputLines({ properties, required, ...others }: Record<string, unknown>): string[] {
  const fields = isRecord(properties) ? properties : {};
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const names = [...new Set([...Object.keys(fields), ...needed])].sort();
  const { type: _type, ...rest } = others;
  return [
    ...names.map((name) => `input ${shown(name)}${needed.includes(name) ? " (required)" : ""}: ${json(fields[name])}`),
    ...(Object.keys(rest).length === 0 ? [] : [`input, beside its fields: ${json(rest)}`]),
  ];
}

const quoted = (text: string, most: number): string => JSON.stringify(cut(text, most));
const shown = (name: string): string => cut(name, MOST_OF_A_PART);
const json = (value: unknown): string => (value === undefined ? "any" : cut(canonicalJson(value), MOST_OF_A_PART));
