// Keeps the sessions of the console and reads their cookie (D-338). A cookie alone is sent to every port of this host, and the
// key alone can be read by a script of the page: a request needs both. The server keeps digests, in memory.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Scope } from "../../operations/operation.ts";
import type { Clock } from "../../ports.ts";
import type { Call, Identity } from "../context.ts";

export const SESSION_MS = 12 * 3_600_000;
const STEP_UP_MS = 10 * 60_000;
/** Of one token. Above this many, the one of that token that was unused for longest ends: who has another token keeps its own. */
const MAX_SESSIONS = 100;

/** What a token may do, and the name that its human gave. */
type Login = Pick<Identity, "token_id" | "scopes"> & { readonly name: string | null };

export type SessionView = {
  readonly name: string | null;
  readonly token_id: string;
  readonly scopes: readonly Scope[];
  /** Null while the right to approve is that of the token itself, or absent. */
  readonly approve_until: string | null;
  readonly expires_at: string;
};

type Session = Login & {
  readonly id: number;
  readonly key_digest: Buffer;
  readonly expires_at: number;
  readonly ended: AbortController;
  stepped_up: { readonly token_id: string; readonly until: number } | null;
};

export type ConsoleSessions = ReturnType<typeof createSessions>;

export function createSessions(clock: Clock) {
  /** By the digest of their cookie, the one used last at the end. */
  const sessions = new Map<string, Session>();
  let last_id = 0;

  const end = (cookie_digest: string): void => {
    sessions.get(cookie_digest)?.ended.abort();
    sessions.delete(cookie_digest);
  };

  /** Expired ones first. */
  const makeRoom = (token_id: string, now: number): void => {
    for (const [cookie_digest, { expires_at }] of sessions) if (expires_at <= now) end(cookie_digest);
    const own = [...sessions].filter(([, session]) => session.token_id === token_id);
    for (const [cookie_digest] of own.slice(0, Math.max(0, own.length + 1 - MAX_SESSIONS))) end(cookie_digest);
  };

  /** Null where the two are not of one session that lasts. */
  const found = (presented: Presented): readonly [cookie_digest: string, session: Session] | null => {
    const cookie_digest = digestOf(presented.cookie).toString("hex");
    const session = sessions.get(cookie_digest);
    if (session === undefined || !timingSafeEqual(session.key_digest, digestOf(presented.key))) return null;
    if (session.expires_at > clock().getTime()) return [cookie_digest, session];
    end(cookie_digest);
    return null;
  };

  return {
    /** Both parts have 256 random bits, and are nowhere else from then on. */
    open: (login: Login): Presented & { readonly session: SessionView } => {
      const now = clock().getTime();
      makeRoom(login.token_id, now);
      const [cookie, key] = [secret(), secret()];
      const ended = new AbortController();
      last_id += 1;
      const kept = { id: last_id, key_digest: digestOf(key), expires_at: now + SESSION_MS, ended, stepped_up: null };
      const session: Session = { ...login, ...kept };
      sessions.set(digestOf(cookie).toString("hex"), session);
      // Ends what still reads then. A session that is found too late has ended by the clock.
      setTimeout(() => ended.abort(), SESSION_MS).unref();
      return { cookie, key, session: viewOf(session, now) };
    },
    find: (presented: Presented): Identity | null => {
      const one = found(presented);
      if (one === null) return null;
      const [cookie_digest, session] = one;
      sessions.delete(cookie_digest);
      sessions.set(cookie_digest, session);
      return identityOf(session, clock().getTime());
    },
    show: (presented: Presented): SessionView | null => {
      const one = found(presented);
      return one === null ? null : viewOf(one[1], clock().getTime());
    },
    /** The session may approve for some minutes, as that token. */
    stepUp: (presented: Presented, token_id: string): void => {
      const one = found(presented);
      if (one !== null) one[1].stepped_up = { token_id, until: clock().getTime() + STEP_UP_MS };
    },
    close: (presented: Presented): void => {
      const one = found(presented);
      if (one !== null) end(one[0]);
    },
  };
}

export type Presented = { readonly cookie: string; readonly key: string };

const secret = (): string => randomBytes(32).toString("base64url");
const digestOf = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();

const approver = ({ stepped_up }: Session, now: number) =>
  stepped_up !== null && stepped_up.until > now ? stepped_up : null;

function identityOf(session: Session, now: number): Identity {
  const { id, token_id, scopes, name, ended } = session;
  const raised = approver(session, now);
  const known = { token_id, name, turns_of: `session ${id}`, ended: ended.signal };
  if (raised === null) return { ...known, scopes };
  return { ...known, scopes: new Set([...scopes, "approve" as const]), approves_as: raised.token_id };
}

function viewOf(session: Session, now: number): SessionView {
  const { name, token_id, expires_at } = session;
  const raised = approver(session, now);
  return {
    name,
    token_id,
    scopes: [...identityOf(session, now).scopes],
    approve_until: raised === null ? null : new Date(raised.until).toISOString(),
    expires_at: new Date(expires_at).toISOString(),
  };
}

const NAME = "__Host-orch";
const ATTRIBUTES = "HttpOnly; Secure; SameSite=Strict; Path=/";

const KEY_HEADER = "x-orch-key";

export const cookieOf = (value: string): string => `${NAME}=${value}; ${ATTRIBUTES}; Max-Age=${SESSION_MS / 1000}`;
export const NO_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

/**
 * The cookie of a session. A cookie of this prefix is taken only with Secure, without Domain and for every path, so no other host
 * can set it; browsers take it on http://127.0.0.1 too. Null where a part is missing.
 */
export function presentedIn({ headers }: Pick<Call, "headers">): Presented | null {
  const key = headers[KEY_HEADER];
  const cookies = (headers.cookie ?? "").split(/;\s*/).filter((one) => one.startsWith(`${NAME}=`));
  const [cookie] = cookies;
  if (typeof key !== "string" || cookie === undefined || cookies.length > 1) return null;
  return { key, cookie: cookie.slice(NAME.length + 1) };
}

/** A request of the page, or of what pretends to be it. */
export const isWithKey = ({ headers }: Pick<Call, "headers">): boolean =>
  headers[KEY_HEADER] !== undefined && headers.authorization === undefined;
