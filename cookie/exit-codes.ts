// The exit statuses of the cookie tool.
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

export const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
export type Signal = keyof typeof SIGNAL_EXIT;
export const SIGNALS: readonly Signal[] = ["SIGINT", "SIGTERM", "SIGHUP"];
