// A timer that a test lets fire: no time passes by itself.
import type { Timer } from "../../src/ports.ts";

export function manualTimer() {
  const set = new Map<() => void, number>();
  const timer: Timer = (act, ms) => {
    const entry = () => act();
    set.set(entry, ms);
    return () => void set.delete(entry);
  };
  return {
    timer,
    /** The times that are set, in the order in which they were. */
    pending: () => [...set.values()],
    /** Lets what is set now fire, and then everything that follows from it at once. */
    fire: async () => {
      const due = [...set.keys()];
      for (const act of due) set.delete(act);
      for (const act of due) act();
      await settled();
    },
  };
}

/** Everything that needs no timer and no input has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
