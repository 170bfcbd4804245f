// What a supervisor does, for a client stack to do: each action follows from what the stack showed of the answer before. A stack with
// an agent loop is given a model that follows the script.
import { z } from "zod";

export type Answer = Readonly<Record<string, unknown>>;

type Action = { readonly name: string; readonly args: Record<string, unknown> };

export type Turn = (answer: Answer) => Action;

/** `id` is what a model gives its calls. */
export type Call = Action & { readonly id: string };

export type Script = ReturnType<typeof createScript>;

export type Server = {
  /** Of its MCP endpoint. */
  readonly url: string;
  readonly token: string;
  readonly headers: Record<string, string>;
  /** For what a stack keeps. */
  readonly directory: string;
};

/** Null is said when no turn is left. */
export function createScript(turns: readonly Turn[]) {
  const heard: Answer[] = [];
  const next = (answer: Answer): Call | null => {
    const action = turns[heard.length]?.(answer);
    return action === undefined ? null : { ...action, id: `call-${heard.length}` };
  };
  const after = (seen: unknown): Call | null => {
    const answer = outputIn(seen);
    heard.push(answer);
    return next(answer);
  };
  /** For agent loops, which end on their own after so many replies of a model. */
  const replies = turns.length + 1;
  return { heard, replies, first: () => next({}), after };
}

/** Of a stack that calls tools without a model. */
export async function follow(script: Script, call: (call: Call) => Promise<unknown>): Promise<void> {
  for (let next = script.first(); next !== null; ) next = script.after(await call(next));
}

/** Stacks show a tool's answer as its text, as a list of contents or as the whole result. Mastra joins the texts of the list. */
function outputIn(seen: unknown): Answer {
  if (typeof seen === "string") return outputIn(parsed(seen.split("\nNext:\n")[0] ?? ""));
  if (Array.isArray(seen)) return outputIn(seen[0]);
  if (Refused.safeParse(seen).success) throw new Error(`the call was refused: ${JSON.stringify(seen)}`);
  const whole = Whole.safeParse(seen).data;
  if (whole !== undefined) return whole.structuredContent;
  const text = Text.safeParse(seen).data;
  return text === undefined ? Output.parse(seen) : outputIn(text.text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`the stack did not show an answer but ${text}`, { cause });
  }
}

const Output = z.record(z.string(), z.unknown());
const Refused = z.object({ isError: z.literal(true) });
const Whole = z.object({ structuredContent: Output });
const Text = z.object({ type: z.literal(["text", "input_text"]), text: z.string() });
