// One stream for all tabs of this browser: a browser holds few connections to a host. The tab that holds the lock reads it and passes
// on the names of the events; when it closes, the next one does.
import { followEvents, type LiveState } from "./event-source.ts";

const NAME = "orch.updates";

type Listener = { readonly onEvent: (event: string) => void; readonly onState: (state: LiveState) => void };
type TabMessage = { readonly event: string } | { readonly state: LiveState } | "which state?";

/** Returns what ends it; the lock is given back when the signal is aborted. */
export function shareStream(signal: AbortSignal, { onEvent, onState }: Listener): () => void {
  const channel = new BroadcastChannel(NAME);
  const send = (message: TabMessage) => channel.postMessage(message);
  let own: LiveState | null = null;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data === "which state?") return own === null ? undefined : send({ state: own });
    if ("event" in data) onEvent(data.event);
    else onState(data.state);
  };
  send("which state?");

  const read = () =>
    new Promise<void>((resolve) => {
      const stop = followEvents({
        path: "/console/events",
        onState: (state) => {
          own = state;
          onState(state);
          send({ state });
        },
        onEvent: ({ event = "report" }) => {
          onEvent(event);
          send({ event });
        },
      });
      const end = () => {
        own = null;
        stop();
        resolve();
      };
      signal.addEventListener("abort", end, { once: true });
    });
  navigator.locks.request(NAME, { signal }, read).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return () => channel.close();
}
