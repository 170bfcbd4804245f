// Makes the shells of a run's steps ready before they may run: that of a step while its start becomes durable (D-310), and that of the
// next one as soon as the step before it has ended (D-407).
import { isPolled } from "../../domain/polling.ts";
import type { Step } from "../../domain/step.ts";
import type { ShellCommand } from "./run-command.ts";
import type { StepEnd } from "./step-end.ts";

export type AtGate = Pick<ShellCommand, "allowed" | "follows_another">;

type Timed = StepEnd & { readonly started_at: string; readonly duration_ms: number };
type StartOf = (offset: number) => (gate: AtGate) => Promise<Timed>;
type Held = {
  readonly end: Promise<Timed>;
  readonly allow: (is_allowed: boolean) => void;
  /** Before it was allowed: nothing of it has run. */
  readonly isOver: () => boolean;
};

/** A polled check starts several shells, so none is made ready for it. */
export const isShell = (step: Step | undefined): boolean =>
  step?.kind === "cmd" || (step?.kind === "check" && !isPolled(step));

/** `mayComeNext`: whether nothing is lost where a step is prepared while the one before it runs. */
export function createGates(steps: readonly Step[], startOf: StartOf, mayComeNext: () => boolean) {
  let next: Held | null = null;
  const take = (offset: number): Held => {
    const ready = next;
    next = null;
    if (ready === null || ready.isOver()) return hold(startOf(offset), {});
    if (mayComeNext()) return ready;
    // Something else has begun while the step before it ran.
    ready.allow(false);
    return hold(startOf(offset), {});
  };
  return {
    /** Null when the start was refused. */
    pass: async (offset: number, started: () => Promise<boolean>): Promise<Timed | null> => {
      const held = take(offset);
      let isStarted = false;
      let isOver = false;
      try {
        isStarted = await started();
        // What runs commands may have been lost meanwhile.
        isOver = held.isOver();
      } finally {
        held.allow(isStarted && !isOver);
      }
      if (!isStarted) return null;
      // What would follow it must not be known before it is.
      if (isOver) return startOf(offset)({});
      if (isShell(steps[offset + 1]) && mayComeNext()) next = hold(startOf(offset + 1), { follows_another: true });
      return held.end;
    },
    /** No further step starts. */
    close: (): void => next?.allow(false),
  };
}

function hold(start: ReturnType<StartOf>, how: Pick<AtGate, "follows_another">): Held {
  const { promise: allowed, resolve: allow } = Promise.withResolvers<boolean>();
  const end = start({ ...how, allowed });
  let isOver = false;
  const note = (): void => {
    isOver = true;
  };
  // What goes wrong with a step that has not started is not the step's.
  end.then(note, note);
  return { end, allow, isOver: () => isOver };
}
