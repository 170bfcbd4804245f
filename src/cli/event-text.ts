// The text of one event, without its time and its name, and how it is made from a body that a server has sent.
import type { z } from "zod";

/** `state` selects the colour of `about`. */
export type EventText = {
  readonly about: string;
  readonly text: string;
  readonly state?: string;
  readonly more?: readonly string[];
};

export type EventFormat = (body: unknown) => EventText | null;

/** Null for the body of another version. */
export function format<S extends z.ZodType>(schema: S, textOf: (body: z.output<S>) => EventText): EventFormat {
  return (body) => {
    const parsed = schema.safeParse(body);
    return parsed.success ? textOf(parsed.data) : null;
  };
}

/** How many lines of a failed step's output are shown. The evidence holds all of them. */
export const LAST_LINES = 8;
