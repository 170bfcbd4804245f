// Defines what is known of a kind of event: the schema of its body, and what is said of one.
import type { z } from "zod";
import type { NextAction } from "./next-action.ts";
import type { TraceMark } from "./trace-mark.ts";

/** The text of one event, without its time and its name. `state` selects the colour of `about`. */
export type EventText = {
  readonly about: string;
  readonly text: string;
  readonly state?: string;
  readonly more?: readonly string[];
};

/** How many lines of a failed step's output are shown. The evidence holds all of them. */
export const LAST_LINES = 8;

/** How the supervisor hears of an event. */
type Message<Body> = {
  readonly status: "ok" | "blocked" | "need_input";
  readonly text: (body: Body) => string;
  /** The step that it is about. */
  readonly step_index?: (body: Body) => number;
  /** The type of its webhook. */
  readonly webhook: string;
  /** What the supervisor may do next. */
  readonly next: (thread_id: string) => NextAction[];
};

export type EventOfFeature<S extends z.ZodType = z.ZodType> = {
  readonly body: S;
  /** What a server must be able to read (src/domain/journal-level.ts); absent where every version that shares a database can. */
  readonly level?: number;
  /** As a line for people. */
  readonly text: (body: z.output<S>) => EventText;
  /** Given where the event is sent to the supervisor. */
  readonly message?: Message<z.output<S>>;
  /** Given where the trace of its thread shows something of the event. */
  readonly trace?: (body: z.output<S>) => TraceMark;
};

/** Lets each kind infer the type of its body. */
export const event = <S extends z.ZodType>(given: EventOfFeature<S>): EventOfFeature<S> => given;
