// What is switched on in the simulated flow engine for the next so many times, or until it is switched off.

export function createSwitches<T>() {
  const switched: { readonly value: T; left: number }[] = [];
  return {
    /** What it returns switches it off. */
    on: (value: T, times = Number.POSITIVE_INFINITY): (() => void) => {
      const one = { value, left: times };
      switched.push(one);
      return () => {
        one.left = 0;
      };
    },
    /** The first that was switched on and is still; it counts as used once. */
    next: (fits: (value: T) => boolean = () => true): T | undefined => {
      const one = switched.find(({ value, left }) => left > 0 && fits(value));
      if (one !== undefined) one.left -= 1;
      return one?.value;
    },
  };
}
