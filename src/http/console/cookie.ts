// The cookie of a session. A cookie of this prefix is taken only with Secure, without Domain and for every path, so no other host can
// set it; browsers take it on http://127.0.0.1 too.
import type { Call } from "../context.ts";
import { type Presented, SESSION_MS } from "./sessions.ts";

const NAME = "__Host-orch";
const ATTRIBUTES = "HttpOnly; Secure; SameSite=Strict; Path=/";

const KEY_HEADER = "x-orch-key";

export const cookieOf = (value: string): string => `${NAME}=${value}; ${ATTRIBUTES}; Max-Age=${SESSION_MS / 1000}`;
export const NO_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

/** Null where a part is missing. */
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
