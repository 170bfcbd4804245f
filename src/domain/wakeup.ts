// Counts the wakeups of all servers.

export type WakeupDepth = { readonly ready: number; readonly later: number; readonly running: number };
