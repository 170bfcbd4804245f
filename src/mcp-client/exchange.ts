// One request to a tool server while its answer is awaited, known to whatever is sent for it.
import { AsyncLocalStorage } from "node:async_hooks";

export type Exchange = {
  readonly signal: AbortSignal;
  /** To be called when no answer can come any more. It does no harm when the answer has come before. */
  readonly onLost: (why: string) => void;
  readonly isOpen: () => boolean;
  /** How often its stream was taken up again, when last, and how often in a row that failed. */
  resumed: number;
  resumed_at: number;
  failed: number;
};

/** Tells bounded-fetch.ts whose request it sends: a session sends those of several callers. */
export const exchanges = new AsyncLocalStorage<Exchange>();
