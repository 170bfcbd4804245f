// Shares one stream among all tabs of this browser, which holds few connections to a host. The tab that holds the lock
// reads it and passes on the names of the events; when it closes, the next one does. A tab that hears nothing of it reads a
// stream of its own meanwhile.
import { followEvents, type LiveState, SILENCE_MS } from "./event-source.ts";

const NAME = "orch.updates";
const PATH = "/console/events";
/** How often the reader says that it is there, at most. */
const WORD_MS = 5_000;

type Listener = { readonly onEvent: (event: string) => void; readonly onState: (state: LiveState) => void };
type TabMessage = { readonly event: string } | { readonly state: LiveState } | "which state?";

/** Returns what ends it; the lock is given back when the signal is aborted. */
export function shareStream(signal: AbortSignal, { onEvent, onState }: Listener): () => void {
  const channel = new BroadcastChannel(NAME);
  const send = (message: TabMessage) => channel.postMessage(message);
  let own: LiveState | null = null;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data === "which state?") return own === null ? undefined : send({ state: own });
    if (own === null) alone.heard();
    if ("event" in data) onEvent(data.event);
    else onState(data.state);
  };
  const alone = inSilence(() =>
    followEvents({ path: PATH, onState, onEvent: ({ event = "report" }) => onEvent(event) }),
  );
  signal.addEventListener("abort", alone.end, { once: true });
  send("which state?");
  alone.heard();

  const read = () =>
    new Promise<void>((resolve) => {
      alone.end();
      let said_at = 0;
      const stop = followEvents({
        path: PATH,
        onState: (state) => {
          own = state;
          onState(state);
          send({ state });
        },
        onWord: () => {
          if (own === null || performance.now() - said_at < WORD_MS) return;
          said_at = performance.now();
          send({ state: own });
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

/** Starts a stream when nothing was heard for too long: the reader may be frozen, and still hold the lock. The next word ends it. */
function inSilence(start: () => () => void) {
  let stop: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    clearTimeout(timer);
    stop?.();
    stop = null;
  };
  const heard = (): void => {
    end();
    timer = setTimeout(() => {
      stop = start();
    }, SILENCE_MS);
  };
  return { end, heard };
}
