// Lets one holder in at a time, in the order of asking. Costs one microtask when nobody else holds it, and a
// round of the event loop when somebody does.

export type Turn = { readonly acquire: () => Promise<void>; readonly release: () => void };

export function createTurn(): Turn {
  const waiting: (() => void)[] = [];
  let held = false;
  return {
    async acquire() {
      if (held) await new Promise<void>((admit) => waiting.push(admit));
      held = true;
    },
    release() {
      const next = waiting.shift();
      if (next === undefined) held = false;
      // Not at once: a line of holders would keep everything else of this process from its turn.
      else setImmediate(next);
    },
  };
}
