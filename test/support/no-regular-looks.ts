// Lets no server look for work by itself every few seconds: what goes on then was announced. Node loads it first.
const REGULAR_MS = [2_500, 5_000] as const;
const NEVER_MS = 2 ** 31 - 1;

const given = globalThis.setTimeout;
const isRegular = (ms = 0): boolean => REGULAR_MS[0] <= ms && ms <= REGULAR_MS[1];
const late = (act: () => void, ms?: number): NodeJS.Timeout => given(act, isRegular(ms) ? NEVER_MS : ms);
globalThis.setTimeout = Object.assign(late, given) as typeof setTimeout;
