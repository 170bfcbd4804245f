// The session of this tab: its key, and who it is. The key lives in sessionStorage, which belongs to scheme, host and port; the
// cookie alone, which knows no port, opens nothing (D-338).
import { createSignal } from "./live/signal.ts";
import { kept } from "./parts/kept.ts";

export type ConsoleSession = {
  readonly key: string;
  readonly name: string | null;
  readonly scopes: readonly string[];
  /** Whether another token than that of this session may decide. */
  readonly can_step_up: boolean;
  readonly approve_until: string | null;
  readonly expires_at: string;
  readonly server: { readonly name: string; readonly version: string };
};

const STORED = "orch.session";

function stored(): ConsoleSession | null {
  const found = kept(sessionStorage, STORED);
  return isSession(found) ? found : null;
}

const isSession = (found: unknown): found is ConsoleSession =>
  typeof found === "object" && found !== null && "key" in found && "scopes" in found && "server" in found;

export const session = createSignal<ConsoleSession | null>(stored());

export const sessionKey = (): string | null => session.get()?.key ?? null;

export function keepSession(found: ConsoleSession): void {
  sessionStorage.setItem(STORED, JSON.stringify(found));
  session.set(found);
}

/** What the server says of the session later: it has no key in it. */
export function updateSession(found: Omit<ConsoleSession, "key">): void {
  const known = session.get();
  if (known !== null) keepSession({ ...known, ...found });
}

export function forgetSession(): void {
  sessionStorage.removeItem(STORED);
  session.set(null);
}

/** Pages of the same origin only hear of it, as they only could read the key. A tab without a session is given that of another. */
const tabs = new BroadcastChannel(STORED);
const WANTED = "a session";

tabs.onmessage = ({ data }: MessageEvent<unknown>) => {
  const known = session.get();
  if (data === WANTED) return known === null ? undefined : tabs.postMessage(known);
  if (known === null && isSession(data)) keepSession(data);
};

export const askOtherTabs = (): void => tabs.postMessage(WANTED);
