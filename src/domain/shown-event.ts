// Shows events to people: each as a line, with the marks that it puts on the timeline of its task. An event of another version is shown as
// JSON.
import { z } from "zod";
import type { EventReader, EventText, KnownSteps } from "./event.ts";
import { type EventRecord, eventOf } from "./journal.ts";
import { printable, printableJson, printableLines } from "./printable.ts";
import { LaneMark, type SaidOfEvent, timelineOf } from "./timeline.ts";
import { MOMENT, type TraceMoment } from "./trace-mark.ts";

export const ShownEvent = z.strictObject({
  seq: z.int().min(1).describe("of the event"),
  about: z.string().describe("one or two words"),
  text: z.string().describe("one line"),
  state: z.string().optional().describe("selects the colour of about"),
  more: z.array(z.string()).optional().describe("lines beneath it"),
  lanes: z
    .array(LaneMark)
    .optional()
    .describe("what begins or ends on the timeline of the task; an end may find nothing open"),
});
export type ShownEvent = z.infer<typeof ShownEvent>;

const SHORT_JSON = 200;

/**
 * Takes the events of a thread in their order: the text of a step needs the procedure of an earlier event, and the end of a step whether
 * the task was cancelled before.
 */
export function createShownEvents(reader: EventReader): (event: z.infer<typeof EventRecord>) => ShownEvent {
  let steps: KnownSteps = [];
  let is_cancelled = false;

  const read = ({ kind, body: given, thread_id, at }: z.infer<typeof EventRecord>): Read => {
    const known = eventOf(kind);
    const body = known?.body.safeParse(given);
    if (known === undefined || body?.success !== true) return { said: { at }, text: unknownEvent(kind, given) };
    steps = known.steps?.(body.data, steps) ?? steps;
    const said = { at, waits: known.waits?.(body.data), trace: known.trace?.(body.data) };
    return { said, text: known.text(body.data, { ...reader, thread_id, steps }) };
  };

  return (event) => {
    const { said, text } = read(event);
    is_cancelled ||= isCancel(said.trace?.moment);
    const lanes = timelineOf(said, is_cancelled);
    return { seq: event.seq, ...printed(text), ...(lanes.length > 0 && { lanes }) };
  };
}

const isCancel = (moment: TraceMoment | undefined): boolean =>
  moment !== undefined && MOMENT[moment.name] === MOMENT.cancel_requested;

type Read = { readonly said: SaidOfEvent; readonly text: EventText };

const unknownEvent = (kind: string, body: unknown): EventText => ({
  about: kind,
  text: printableJson(body ?? null).slice(0, SHORT_JSON),
});

const printed = ({ about, text, state = "", more = [] }: EventText) => ({
  about: printable(about),
  text: printableLines(text).join("  "),
  ...(state !== "" && { state }),
  ...(more.length > 0 && { more: more.map(printable) }),
});
