// A moment as the time that has passed, with the exact time on hover and for a screen reader.
import { createSignal, useSignal } from "../live/signal.ts";
import { absoluteTime, relativeTime } from "./text.ts";

const now = createSignal(Date.now());
setInterval(() => now.set(Date.now()), 10_000);

/** By the clock of this device; it moves every ten seconds. */
export const useNow = (): number => useSignal(now);

export function Time({ at }: { readonly at: string }) {
  const now_ms = useNow();
  return (
    <time dateTime={at} title={absoluteTime(at)} className="number">
      {relativeTime(at, now_ms)}
    </time>
  );
}
