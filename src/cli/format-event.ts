// Formats the events of a journal as text, for `orch task --follow`.
import type { z } from "zod";
import type { EventReader } from "../domain/event.ts";
import type { EventRecord } from "../domain/journal.ts";
import { createShownEvents } from "../domain/shown-event.ts";
import { nextLines } from "./next-commands.ts";
import type { Paint } from "./out.ts";
import { painted } from "./text-format.ts";

const ABOUT = 17;

/** Before the lines under an event. */
export const INDENT = " ".repeat(ABOUT + 12);

/** Takes the events in their order. `wasShown` when the output of the step has been shown while it ran. */
export function createEventFormat(
  paint: Paint,
  wasShown: EventReader["wasShown"] = () => false,
  program = "orch",
): (event: z.infer<typeof EventRecord>) => string[] {
  const show = createShownEvents({ program, wasShown, linesOf: (next) => nextLines(next, program) });
  return (event) => {
    const { about, text, state = "", more = [] } = show(event);
    const name = painted(paint, state, about.padEnd(ABOUT));
    return [`${paint("dim", clockOf(event.at))}  ${name}  ${text}`.trimEnd(), ...more.map(indented)];
  };
}

const indented = (line: string): string => `${INDENT}${line}`;

/** Time of day in the local time zone. */
const clockOf = (at: string): string => new Date(at).toTimeString().slice(0, 8);
