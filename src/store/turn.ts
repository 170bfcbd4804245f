// Lets one holder in at a time, in the order of asking. Costs one microtask when nobody else holds it.

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
      else next();
    },
  };
}
