// Defines what is known of a kind of event: the schema of its body, and what is said of one.
import type { z } from "zod";
import type { AgentStep } from "./agent-events.ts";
import type { NextAction, NextFacts } from "./next-action.ts";
import type { TraceMark } from "./trace-mark.ts";

/** The text of one event, without its time and its name. `state` selects the colour of `about`. */
export type EventText = {
  readonly about: string;
  readonly text: string;
  readonly state?: string;
  readonly more?: readonly string[];
};

/** By index: the steps of the procedure, or of an agent's calls, as far as earlier events name them. */
export type KnownSteps = readonly (AgentStep | null)[];

/** The context in which a line is written: the body of the event does not have it. */
export type EventPlace = {
  readonly thread_id: string;
  /** As the command is called. */
  readonly program: string;
  readonly steps: KnownSteps;
  /** True when the user has already seen the output of the step. */
  readonly wasShown: (step: { readonly index: number; readonly attempt: number }) => boolean;
  /** Actions as lines, with their commands. */
  readonly linesOf: (next: readonly NextAction[]) => readonly string[];
};

/** How many lines of a failed step's output are shown. The evidence holds all of them. */
export const LAST_LINES = 8;

/** How the supervisor hears of an event. */
type Message<Body> = {
  readonly status: "ok" | "blocked" | "failed" | "need_input";
  readonly text: (body: Body) => string;
  /** The step that it is about. */
  readonly step_index?: (body: Body) => number;
  /** The approval that it asks for. */
  readonly approval_id?: (body: Body) => string;
  /** The type of its webhook. */
  readonly webhook: string;
  /** Proposes what the supervisor may do next. The caller leaves the body out when it knows the kind alone. */
  readonly next: (facts: NextFacts, body?: Body) => NextAction[];
};

export type EventDefinition<S extends z.ZodType = z.ZodType> = {
  readonly body: S;
  /** What a server must be able to read (src/domain/journal.ts); absent where every version that shares a database can. */
  readonly level?: number;
  /** A server that takes the task up again starts after it. */
  readonly is_progress?: true;
  /** As a line for people. */
  readonly text: (body: z.output<S>, place: EventPlace) => EventText;
  /** The steps that later events name by their index, where the event says them. */
  readonly steps?: (body: z.output<S>, known: KnownSteps) => KnownSteps;
  /** Given where the event is sent to the supervisor. */
  readonly message?: Message<z.output<S>>;
  /** Given where the trace of its thread shows something of the event. */
  readonly trace?: (body: z.output<S>) => TraceMark;
};

/** Lets each kind infer the type of its body. */
export const event = <S extends z.ZodType>(given: EventDefinition<S>): EventDefinition<S> => given;
