// What is needed to speak: the cookie, a csrf and the customer id. Obtained once and kept until the provider refuses them; a
// cookie that was refused is not shown to it again for a while, unless another has taken its place.
import type { AccountCookie } from "../cookie-source/account-cookie.ts";
import type { LoadCookie } from "../cookie-source/cookie-source.ts";
import { VoiceError } from "../voice-error.ts";
import { obtainCsrf } from "./csrf.ts";
import { obtainCustomerId } from "./customer-id.ts";
import type { AskUpstream } from "./upstream.ts";

export type Session = { readonly cookie: AccountCookie; readonly csrf: string; readonly customer_id: string };

export type Sessions = {
  /** Rejects with a VoiceError. All who ask at the same time share one. */
  readonly current: () => Promise<Session>;
  /** The provider has refused it: the next one is obtained anew, from the cookie on. */
  readonly drop: (session: Session) => void;
  /** It was refused although it was new: the cookie is at its end. */
  readonly expire: (session: Session) => VoiceError;
  /** What `current` gave last. */
  readonly state: () => "ready" | "not_asked" | VoiceError;
};

type SessionDeps = {
  readonly ask: AskUpstream;
  readonly load: LoadCookie;
  readonly customer_id: string | null;
  readonly keepSecret: (text: string) => void;
};

const REST_MS = 30 * 60_000;

export function createSessions({ ask, load, customer_id, keepSecret }: SessionDeps): Sessions {
  let held: { readonly session: Promise<Session>; value: Session | null } | null = null;
  let refused: { readonly pairs: string; readonly at: number } | null = null;
  let state: ReturnType<Sessions["state"]> = "not_asked";

  const expireCookie = ({ pairs }: AccountCookie): VoiceError => {
    refused = { pairs, at: performance.now() };
    state = expired();
    return state;
  };

  const obtain = async (): Promise<Session> => {
    const cookie = await load();
    if (refused?.pairs === cookie.pairs && performance.now() - refused.at < REST_MS) throw expired();
    const csrf = await obtainCsrf(ask, cookie);
    const id = csrf === null ? null : await obtainCustomerId(ask, cookie, customer_id);
    if (csrf === null || id === null) throw expireCookie(cookie);
    keepSecret(csrf);
    keepSecret(id);
    state = "ready";
    return { cookie, csrf, customer_id: id };
  };

  const current = (): Promise<Session> => {
    if (held !== null) return held.session;
    const obtained = { session: obtain(), value: null as Session | null };
    held = obtained;
    obtained.session.then(
      (session) => {
        obtained.value = session;
      },
      (error: unknown) => {
        held = null;
        if (error instanceof VoiceError) state = error;
      },
    );
    return obtained.session;
  };

  const drop = (session: Session): void => {
    if (held?.value === session) held = null;
  };

  return {
    current,
    drop,
    expire: (session) => {
      drop(session);
      return expireCookie(session.cookie);
    },
    state: () => state,
  };
}

const expired = (): VoiceError =>
  new VoiceError(
    "cookie_expired",
    "The provider does not take the account cookie any more. Obtain a new one with: npm run --silent cookie. Store it where the old one was; no restart is needed.",
  );
