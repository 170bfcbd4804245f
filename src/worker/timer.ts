// The timer of this process.
import type { Timer } from "../ports.ts";

export const timer: Timer = (act, ms) => {
  const timeout = setTimeout(act, ms).unref();
  return () => clearTimeout(timeout);
};
