// Which steps run, as far as a reader has the journal. What a step writes may come from another server, and so later than the end of the step
// (D-397): it is sent to a reader who has its start and not its end.
import { z } from "zod";
import type { EventRecord } from "../domain/journal.ts";
import type { StepRun } from "../domain/live-output.ts";

type At = Omit<StepRun, "task_id">;
type Recorded = Pick<z.infer<typeof EventRecord>, "seq" | "kind" | "body">;
/** The events of a page after a sequence number. */
type ReadEvents = (after: number) => Promise<readonly Recorded[]>;

export type RunningSteps = {
  /** The events that the reader has got. */
  readonly follow: (events: readonly Recorded[]) => void;
  readonly runs: (step: At) => Promise<boolean>;
};

/** `after`: the last event that the reader had before. Those up to it are read back when a step is asked for whose start is not after it. */
export function createRunningSteps(after: number, page: number, read: ReadEvents): RunningSteps {
  const states = new Map<string, boolean>();
  let isKnown = after === 0;
  return {
    follow: (events) => {
      for (const event of events) isKnown = evolve(states, event) || isKnown;
    },
    runs: async (step) => {
      const state = states.get(keyOf(step));
      if (state !== undefined || isKnown) return state === true;
      isKnown = true;
      const before = await readBack(after, page, read);
      for (const [key, was] of before) if (!states.has(key)) states.set(key, was);
      return states.get(keyOf(step)) === true;
    },
  };
}

/** Back to the last claim: no step of an earlier one runs. */
async function readBack(after: number, page: number, read: ReadEvents): Promise<Map<string, boolean>> {
  let known: readonly Recorded[] = [];
  for (let to = after; to > 0 && !known.some(isClaim); to -= page) {
    const events = await read(Math.max(0, to - page));
    known = [...events.filter(({ seq }) => seq <= to), ...known];
  }
  const states = new Map<string, boolean>();
  for (const event of known) evolve(states, event);
  return states;
}

const isClaim = ({ kind }: Recorded): boolean => kind === "taken_up";

const AtStep = z.looseObject({ index: z.int(), attempt: z.int() });

/** Whether it says so of every step. */
function evolve(states: Map<string, boolean>, event: Recorded): boolean {
  if (isClaim(event)) for (const key of states.keys()) states.set(key, false);
  if (event.kind === "step_started" || event.kind === "step_finished")
    states.set(keyOf(AtStep.parse(event.body)), event.kind === "step_started");
  return isClaim(event);
}

const keyOf = ({ index, attempt }: At): string => `${index} ${attempt}`;
