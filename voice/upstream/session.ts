// Holds what speaking needs, and obtains it: cookie, csrf and customer id. They are kept until the provider refuses them. A
// refused cookie is not sent again for a while, unless it has changed (D-156).
import { z } from "zod";
import type { AccountCookie, LoadCookie } from "../cookie-source/cookie-source.ts";
import type { ProviderResponse } from "../exchange.ts";
import type { VoiceLog } from "../log.ts";
import { VoiceError } from "../voice-error.ts";
import { accountRefusal, expired, isSignInPage, jsonOf, refuseFailure } from "./refusals.ts";
import type { AskUpstream } from "./upstream.ts";

export type SpeakingSession = { readonly cookie: AccountCookie; readonly csrf: string; readonly customer_id: string };

export type Sessions = {
  /** Rejects with a VoiceError. Concurrent callers share one attempt. */
  readonly current: () => Promise<SpeakingSession>;
  /** The provider has refused the session: the next one is obtained anew, beginning with the cookie. */
  readonly drop: (session: SpeakingSession) => void;
  /** The provider has refused a new session so: its cookie rests. */
  readonly refuse: (session: SpeakingSession, refusal: VoiceError) => VoiceError;
  /** The last result of `current`. */
  readonly state: () => "ready" | "not_asked" | VoiceError;
};

type SessionDeps = {
  readonly ask: AskUpstream;
  readonly load: LoadCookie;
  readonly customer_id: string | null;
  readonly keepSecret: (text: string) => void;
  readonly log: VoiceLog;
  /** Milliseconds on a monotonic clock. */
  readonly now?: () => number;
};

/** After the first refusal of a cookie, the second, and so on: one odd answer costs little, an expired cookie is left alone. */
const RESTS_MS = [10_000, 60_000, 5 * 60_000, 30 * 60_000];
const LONGEST_MS = 30 * 60_000;
/** After a preview was refused twice although the account is signed in: the cause may be the device. */
const REFUSED_REST_MS = 60_000;

const OF_ACCOUNT: ReadonlySet<string> = new Set(["cookie_expired", "account_challenge", "upstream_blocked"]);

export function createSessions(deps: SessionDeps): Sessions {
  const { ask, load, customer_id, keepSecret, log } = deps;
  const rests = createRests(deps.now ?? (() => performance.now()));
  let held: { readonly session: Promise<SpeakingSession>; value: SpeakingSession | null } | null = null;
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

  const obtain = async (): Promise<SpeakingSession> => {
    const cookie = await load();
    const resting = rests.of(cookie);
    if (resting !== null) throw resting;
    try {
      const { csrf } = await obtainCsrf(ask, cookie);
      const { id } = await obtainCustomerId(ask, cookie, customer_id);
      rests.end();
      keepSecret(csrf);
      keepSecret(id);
      return { cookie, csrf, customer_id: id };
    } catch (error) {
      if (error instanceof VoiceError && OF_ACCOUNT.has(error.code)) throw rests.begin(cookie, error);
      throw error;
    }
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
    refuse: (session, refusal) => {
      drop(session);
      const error = rests.begin(session.cookie, refusal, REFUSED_REST_MS);
      tell(error);
      return error;
    },
    state: () => state,
  };
}

/** The cookie that the provider refused last, and until when it is not sent. */
function createRests(now: () => number) {
  let resting: {
    readonly pairs: string;
    readonly times: number;
    readonly until: number;
    readonly why: VoiceError;
  } | null = null;
  const error = ({ why, until }: NonNullable<typeof resting>): VoiceError => {
    const retry_after = Math.max(1, Math.ceil((until - now()) / 1_000));
    return new VoiceError(why.code, why.message, { ...why.details, retry_after });
  };
  return {
    /** Why the cookie is not sent now; null when it may be. */
    of: ({ pairs }: AccountCookie): VoiceError | null =>
      resting?.pairs === pairs && now() < resting.until ? error(resting) : null,
    begin: ({ pairs }: AccountCookie, why: VoiceError, rest_ms?: number): VoiceError => {
      const times = resting?.pairs === pairs ? resting.times + 1 : 1;
      resting = { pairs, times, until: now() + (rest_ms ?? RESTS_MS[times - 1] ?? LONGEST_MS), why };
      return error(resting);
    },
    end: () => {
      resting = null;
    },
  };
}

/** The first path is the specification's; the others set the csrf too. */
const PATHS = [
  "/api/language",
  "/spa/index.html",
  "/api/devices-v2/device?cached=false",
  "/templates/oobe/d-device-pick.handlebars",
  "/api/strings",
];

type Csrf = { readonly csrf: string; readonly from: string };

/**
 * Obtains the csrf of an account's cookie. It is a signed integer as text and may be negative. Rejects with a VoiceError that
 * says how the account was refused.
 */
export async function obtainCsrf(ask: AskUpstream, cookie: AccountCookie): Promise<Csrf> {
  for (const path of PATHS) {
    const answer = await ask({ method: "GET", path, cookie: cookie.pairs });
    refuseFailure(answer);
    const csrf = csrfSetBy(answer);
    if (csrf !== null) return { csrf, from: path };
    const refusal = accountRefusal(answer);
    if (refusal !== null) throw refusal;
  }
  if (cookie.csrf !== null) return { csrf: cookie.csrf, from: "the stored cookie" };
  throw new VoiceError("csrf_missing", "The provider sent no csrf, and the cookie contains none; obtain a new cookie.");
}

/** The last value that has not expired: an answer may delete one and set another. */
function csrfSetBy({ status, headers }: ProviderResponse): string | null {
  if (status !== 200) return null;
  const now = Date.parse(String(headers["date"] ?? "")) || Date.now();
  const set = [headers["set-cookie"] ?? []].flat().flatMap((cookie) => {
    const csrf = /^\s*csrf\s*=\s*([^;\s]+)/.exec(cookie)?.[1];
    return csrf === undefined || hasExpired(cookie, now) ? [] : [csrf];
  });
  return set.at(-1) ?? null;
}

/** Max-Age comes before Expires. */
function hasExpired(cookie: string, now: number): boolean {
  const attribute = (name: string): string | undefined =>
    new RegExp(`;\\s*${name}\\s*=\\s*"?([^;"]*)`, "i").exec(cookie)?.[1]?.trim();
  const max_age = attribute("max-age");
  if (max_age !== undefined && /^-?\d+$/.test(max_age)) return Number(max_age) <= 0;
  return Date.parse(attribute("expires") ?? "") <= now;
}

const CustomerId = z.string().regex(/^[A-Za-z0-9]{1,64}$/);

const Bootstrap = z.object({
  authentication: z.union([
    z.object({ authenticated: z.literal(false) }),
    z.object({ authenticated: z.literal(true), customerId: CustomerId }),
  ]),
});

const Me = z.object({ id: CustomerId });

type Customer = { readonly id: string; readonly from: string };

/**
 * Obtains the id of the customer who owns the cookie, from GET /api/bootstrap or, where that is gone, /api/users/me. Rejects with
 * a VoiceError that says how the account was refused. `configured` is the fallback when no id is sent.
 */
export async function obtainCustomerId(
  ask: AskUpstream,
  cookie: AccountCookie,
  configured: string | null,
): Promise<Customer> {
  const bootstrap = await ask({ method: "GET", path: "/api/bootstrap", cookie: cookie.pairs });
  const refusal = accountRefusal(bootstrap);
  if (refusal !== null) throw refusal;
  const found = Bootstrap.safeParse(jsonOf(bootstrap)).data?.authentication;
  if (found?.authenticated === false) throw expired();
  if (found !== undefined) return { id: found.customerId, from: "/api/bootstrap" };

  const path = "/api/users/me?platform=ios&version=2.2.651540.0";
  const me = await ask({ method: "GET", path, cookie: cookie.pairs });
  const second = accountRefusal(me);
  if (second !== null) throw second;
  const id = Me.safeParse(jsonOf(me)).data?.id;
  if (id !== undefined) return { id, from: "/api/users/me" };
  // Another id would not help an account that is not signed in.
  if (isSignInPage(bootstrap) || isSignInPage(me)) throw expired();
  if (configured !== null) return { id: configured, from: "VOICE_CUSTOMER_ID" };
  refuseFailure(bootstrap);
  refuseFailure(me);
  const message = `The provider sends the customer id neither in /api/bootstrap (${bootstrap.status}) nor in /api/users/me (${me.status}); set VOICE_CUSTOMER_ID.`;
  throw new VoiceError("upstream_changed", message);
}
