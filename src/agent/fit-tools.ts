// Makes the tools of a run fit into the model's context: first with short descriptions, then without the tools that
// have the least to do with the task (D-141).
import type { OfferedTool } from "./agent-message.ts";
import { tokensOfTools } from "./tokens.ts";
import { withShortProse } from "./tool-schema.ts";

export type FittingTools = {
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
