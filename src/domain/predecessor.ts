// The server that had a database before this one.

/** Whether there was one, and what became of it: `ended` is a crash, and `may_live` may be one. */
export type Predecessor = "none" | "stopped" | "ended" | "may_live";
