// A moment as the time that has passed, with the exact time on hover and for a screen reader.
import { createSignal, useSignal } from "../live/signal.ts";
import { absoluteTime, relativeTime } from "./text.ts";

const now = createSignal(Date.now());
setInterval(() => now.set(Date.now()), 10_000);

export function Time({ at }: { readonly at: string }) {
  const now_ms = useSignal(now);
  return (
    <time dateTime={at} title={absoluteTime(at)} className="number">
      {relativeTime(at, now_ms)}
    </time>
  );
}
