// Holds what speaking needs: cookie, csrf and customer id. They are obtained once and kept until the provider refuses them. A
// refused cookie is not sent again for a while, unless it has changed (D-156).
import type { AccountCookie } from "../cookie-source/account-cookie.ts";
import type { LoadCookie } from "../cookie-source/cookie-source.ts";
import type { VoiceLog } from "../log.ts";
import { VoiceError } from "../voice-error.ts";
import { obtainCsrf } from "./csrf.ts";
import { obtainCustomerId } from "./customer-id.ts";
import type { AskUpstream } from "./upstream.ts";

export type SpeakingSession = { readonly cookie: AccountCookie; readonly csrf: string; readonly customer_id: string };

export type Sessions = {
  /** Rejects with a VoiceError. Concurrent callers share one attempt. */
  readonly current: () => Promise<SpeakingSession>;
  /** The provider has refused the session: the next one is obtained anew, beginning with the cookie. */
  readonly drop: (session: SpeakingSession) => void;
  /** The provider has refused a new session: the cookie has expired. */
  readonly expire: (session: SpeakingSession) => VoiceError;
  /** The last result of `current`. */
  readonly state: () => "ready" | "not_asked" | VoiceError;
};

type SessionDeps = {
  readonly ask: AskUpstream;
  readonly load: LoadCookie;
  readonly customer_id: string | null;
  readonly keepSecret: (text: string) => void;
  readonly log: VoiceLog;
};

const SIGNED_OUT_REST_MS = 30 * 60_000;
/** After a preview was refused twice although the account is signed in: the cause may be the device. */
const REFUSED_REST_MS = 60_000;

export function createSessions({ ask, load, customer_id, keepSecret, log }: SessionDeps): Sessions {
  let held: { readonly session: Promise<SpeakingSession>; value: SpeakingSession | null } | null = null;
  let resting: { readonly pairs: string; readonly until: number } | null = null;
  let state: ReturnType<Sessions["state"]> = "not_asked";

  const tell = (next: "ready" | VoiceError) => {
    const before = state;
    state = next;
    if (next === "ready") {
      if (before !== "ready") log.info({}, "ready to speak");
    } else if (!(before instanceof VoiceError) || before.message !== next.message) {
      log.warn({ error: next.code }, `not ready to speak: ${next.message}`);
    }
  };

  const expire = ({ pairs }: AccountCookie, rest_ms: number): VoiceError => {
    resting = { pairs, until: performance.now() + rest_ms };
    return expired();
  };

  const obtain = async (): Promise<SpeakingSession> => {
    const cookie = await load();
    if (resting?.pairs === cookie.pairs && performance.now() < resting.until) throw expired();
    const csrf = await obtainCsrf(ask, cookie);
    const id = csrf === null ? null : await obtainCustomerId(ask, cookie, customer_id);
    if (csrf === null || id === null) throw expire(cookie, SIGNED_OUT_REST_MS);
    keepSecret(csrf);
    keepSecret(id);
    return { cookie, csrf, customer_id: id };
  };

  const current = (): Promise<SpeakingSession> => {
    if (held !== null) return held.session;
    const obtained = { session: obtain(), value: null as SpeakingSession | null };
    held = obtained;
    obtained.session.then(
      (session) => {
        obtained.value = session;
        tell("ready");
      },
      (error: unknown) => {
        held = null;
        if (error instanceof VoiceError) tell(error);
      },
    );
    return obtained.session;
  };

  const drop = (session: SpeakingSession): void => {
    if (held?.value === session) held = null;
  };

  return {
    current,
    drop,
    expire: (session) => {
      drop(session);
      const error = expire(session.cookie, REFUSED_REST_MS);
      tell(error);
      return error;
    },
    state: () => state,
  };
}

const expired = (): VoiceError =>
  new VoiceError(
    "cookie_expired",
    "The provider does not accept the account cookie any more. Obtain a new one with: npm run --silent cookie. Store it where the old one was; no restart is needed.",
  );
