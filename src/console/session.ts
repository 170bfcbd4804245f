// The session of this tab: its key, and who it is. The key lives in sessionStorage, which belongs to scheme, host and port; the
// cookie alone, which knows no port, opens nothing (D-338).
import { createSignal, kept } from "./live/signal.ts";

export type SessionFacts = {
  readonly name: string | null;
  readonly scopes: readonly string[];
  /** Whether another token than that of this session may decide. */
  readonly can_step_up: boolean;
  readonly approve_until: string | null;
  readonly expires_at: string;
  readonly server: { readonly name: string; readonly version: string };
};

export type ConsoleSession = SessionFacts & { readonly key: string };

const STORED = "orch.session";

function stored(): ConsoleSession | null {
  const last = kept(sessionStorage, STORED);
  return isSession(last) ? last : null;
}

const isSession = (value: unknown): value is ConsoleSession =>
  typeof value === "object" && value !== null && "key" in value && "scopes" in value && "server" in value;

export const session = createSignal<ConsoleSession | null>(stored());

export const sessionKey = (): string | null => session.get()?.key ?? null;

export function keepSession(next: ConsoleSession): void {
  sessionStorage.setItem(STORED, JSON.stringify(next));
  session.set(next);
}

/** What the server says of the session later: it has no key in it. */
export function updateSession(changed: SessionFacts): void {
  const known = session.get();
  if (known !== null) keepSession({ ...known, ...changed });
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
