// Formats the events of a journal as text, for `orch task --follow`.
import type { z } from "zod";
import type { EventPlace, EventText, KnownSteps } from "../domain/event.ts";
import { type EventRecord, eventOf } from "../domain/journal.ts";
import { printable, printableJson, printableLines } from "../domain/printable.ts";
import { nextLines } from "./next-commands.ts";
import type { Paint } from "./out.ts";
import { painted } from "./text-format.ts";

const SHORT_JSON = 200;
const ABOUT = 17;

/** Before the lines under an event. */
export const INDENT = " ".repeat(ABOUT + 12);

/**
 * Takes the events in their order: the text of a step needs the procedure of an earlier event. `wasShown` when the output of
 * the step has been shown while it ran.
 */
export function createEventFormat(
  paint: Paint,
  wasShown: EventPlace["wasShown"] = () => false,
  program = "orch",
): (event: z.infer<typeof EventRecord>) => string[] {
  let steps: KnownSteps = [];
  const linesOf: EventPlace["linesOf"] = (next) => nextLines(next, program);

  const textOf = (kind: string, given: unknown, thread_id: string): EventText => {
    const known = eventOf(kind);
    const body = known?.body.safeParse(given);
    if (known === undefined || body?.success !== true) return unknownEvent(kind, given);
    steps = known.steps?.(body.data, steps) ?? steps;
    return known.text(body.data, { thread_id, program, steps, wasShown, linesOf });
  };

  return ({ kind, body, thread_id, at }) => {
    const { about, text, state = "", more = [] } = textOf(kind, body, thread_id);
    const name = painted(paint, state, about.padEnd(ABOUT));
    const line = printableLines(text).join("  ");
    return [`${paint("dim", clockOf(at))}  ${name}  ${line}`.trimEnd(), ...more.map(indented)];
  };
}

const indented = (line: string): string => `${INDENT}${printable(line)}`;

/** An event of another version is shown as JSON. */
const unknownEvent = (kind: string, body: unknown): EventText => ({
  about: kind,
  text: printableJson(body ?? null).slice(0, SHORT_JSON),
});

/** Time of day in the local time zone. */
const clockOf = (at: string): string => new Date(at).toTimeString().slice(0, 8);
