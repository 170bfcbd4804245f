// Makes the tools of a run fit into the model's context: first with short descriptions, then without the tools that have the
// least to do with the task (D-141). Their JSON Schemas are without what only a validator needs.
import { z } from "zod";
import type { Json } from "../../domain/json.ts";
import type { OfferedTool } from "./agent-message.ts";
import { tokensOfTools } from "./transcript.ts";

type Schema = OfferedTool["parameters"];

/** Of one of orch's own tools. What breaks a limit is answered by its schema. */
export const schemaOf = (schema: z.ZodType): Schema =>
  changed(withoutNoise(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema), (key, value) =>
    LIMITS.has(key) ? undefined : value,
  );

const LIMITS = new Set(["pattern", "minLength", "maxLength", "maxItems", "default", "additionalProperties"]);

/** The dialect says nothing to a model, and neither does the range of the numbers that JSON can hold. */
export const withoutNoise = (schema: Schema): Schema =>
  changed(schema, (key, value) =>
    key === "$schema" || (typeof value === "number" && Math.abs(value) >= MAX_SAFE) ? undefined : value,
  );

const MAX_SAFE = Number.MAX_SAFE_INTEGER;

const PROSE = new Set(["title", "examples", "$comment", "markdownDescription"]);

const SHORT = 160;

const SHORT_OF_PARAMETER = 40;

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed();

/** With the beginning of its description and of those of its parameters. */
const withShortProse = ({ name, description, parameters }: OfferedTool): OfferedTool => ({
  name,
  description: cut(description, SHORT),
  parameters: changed(parameters, (key, value) => {
    if (PROSE.has(key)) return undefined;
    return key === "description" && typeof value === "string" ? cut(value, SHORT_OF_PARAMETER) : value;
  }),
});

/** Each keyword with its new value, without those that have none. A parameter may have the name of a keyword. */
function changed(schema: Schema, change: (key: string, value: Json) => Json | undefined): Schema {
  const within = (value: Json): Json => {
    if (typeof value !== "object" || value === null) return value;
    return Array.isArray(value) ? value.map(within) : changed(value, change);
  };
  const named = (value: Json): Json =>
    typeof value !== "object" || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, within(one)]));
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
      const kept = change(key, value);
      if (kept === undefined) return [];
      if (VALUES.has(key)) return [[key, kept]];
      return [[key, NAMES.has(key) ? named(kept) : within(kept)]];
    }),
  );
}

const NAMES = new Set(["properties", "patternProperties", "$defs", "definitions"]);

/** Values of the caller, which are no schemas. */
const VALUES = new Set(["enum", "const", "default", "examples", "required"]);

type FittingTools = {
  readonly offered: readonly OfferedTool[];
  /** Names, in the order of the catalogue. */
  readonly left_out: readonly string[];
};

type Fitting = {
  readonly room_tokens: number;
  /** The text of the task. */
  readonly task: string;
  /** Tools without which no run can end. */
  readonly needed: ReadonlySet<string>;
};

/**
 * Makes the tools of a run fit into the model's context: first with short descriptions, then without the tools that have the
 * least to do with the task (D-141).
 */
export function fitTools(tools: readonly OfferedTool[], { room_tokens, task, needed }: Fitting): FittingTools {
  if (tokensOfTools(tools) <= room_tokens) return { offered: tools, left_out: [] };
  const short = tools.map((tool) => (needed.has(tool.name) ? tool : withShortProse(tool)));
  const words = wordsIn(task);
  const ranked = short.toSorted((one, other) => rank(other, words, needed) - rank(one, words, needed));
  const kept = new Set<string>();
  let room = room_tokens;
  for (const tool of ranked) {
    room -= tokensOfTools([tool]);
    if (room < 0 && !needed.has(tool.name)) break;
    kept.add(tool.name);
  }
  return {
    offered: short.filter(({ name }) => kept.has(name)),
    left_out: short.flatMap(({ name }) => (kept.has(name) ? [] : [name])),
  };
}

/** A word of the name counts more than one of the description. */
function rank({ name, description }: OfferedTool, task: ReadonlySet<string>, needed: ReadonlySet<string>): number {
  if (needed.has(name)) return Number.MAX_SAFE_INTEGER;
  const shared = (text: string) => [...wordsIn(text)].filter((word) => task.has(word)).length;
  return 4 * shared(name) + shared(description);
}

const SHORTEST = 3;

/** A plural counts as its singular. */
const wordsIn = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/\p{L}+|\d+/gu) ?? [])
      .filter((word) => word.length >= SHORTEST)
      .map((word) => word.replace(/s$/, "")),
  );
