// Makes the text of one event from a body that a server has sent.
import type { z } from "zod";
import type { EventText } from "../domain/event.ts";

export type EventFormat = (body: unknown) => EventText | null;

/** Null for the body of another version. */
export function format<S extends z.ZodType>(schema: S, textOf: (body: z.output<S>) => EventText): EventFormat {
  return (body) => {
    const parsed = schema.safeParse(body);
    return parsed.success ? textOf(parsed.data) : null;
  };
}
