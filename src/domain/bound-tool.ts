// Binds an approval to the tools that its steps call, as their servers defined them: the digest covers the whole definition, and a human
// reads the server's own words.
import { digestOf } from "./json.ts";
import { canonicalJson, isRecord } from "./json-values.ts";
import { printable } from "./printable.ts";
import type { BoundTool } from "./script.ts";
import { type DefinedTool, type ToolListing, unreadText } from "./tool.ts";

export const NOT_ASKED: ToolListing = { is: "unread", why: "its server was not asked", is_unreachable: true };

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
