// Small turns of phrase in sentences to the supervisor.

/** `1 step`, `2 steps`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
