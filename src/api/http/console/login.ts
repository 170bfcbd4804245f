// Logs in to the console, by a token or a one-time link, gives more rights for some minutes, and logs out. A token comes once, in
// a body; from then on the session takes its place.
import { randomBytes } from "node:crypto";
import { BlockList, isIPv6 } from "node:net";
import { z } from "zod";
import { sha256 } from "../../../domain/json.ts";
import { printable } from "../../../domain/printable.ts";
import type { Clock } from "../../../ports.ts";
import { parseInput } from "../../../schema/parse-input.ts";
import { invalidInput } from "../../operations/operation.ts";
import {
  addressOf,
  type ConsoleSessions,
  cookieOf,
  findToken,
  isLocalHost,
  NO_COOKIE,
  presentedIn,
  type RefuseLogin,
  type SessionView,
} from "../caller.ts";
import type { Call, Handler, Identity, Reply, Token } from "../context.ts";
import { readBody } from "../operation-route.ts";
import { problem, sendProblem } from "../problem.ts";

const LINK_MS = 60_000;

/** Of one token. Above this many, the oldest of that token is void. */
const MAX_LINKS = 100;

type LinksLogin = Pick<Identity, "token_id" | "scopes"> & { readonly name: string | null };

type Links = ReturnType<typeof createLinks>;

export function createLinks(clock: Clock) {
  /** By the digest of their secret, oldest first. */
  const links = new Map<string, LinksLogin & { readonly expires_at: number }>();
  return {
    make: (login: LinksLogin): { readonly link: string; readonly expires_at: string } => {
      const own = [...links].filter(([, { token_id }]) => token_id === login.token_id);
      const [oldest] = own.length >= MAX_LINKS ? own : [];
      if (oldest !== undefined) links.delete(oldest[0]);
      const link = randomBytes(16).toString("base64url");
      const expires_at = clock().getTime() + LINK_MS;
      links.set(sha256(link), { ...login, expires_at });
      return { link, expires_at: new Date(expires_at).toISOString() };
    },
    /** Null for one that was used, is too old, or never was. */
    use: (link: string): LinksLogin | null => {
      const key = sha256(link);
      const found = links.get(key);
      links.delete(key);
      return found === undefined || found.expires_at <= clock().getTime() ? null : found;
    },
  };
}

type IsPrivate = (request: Call) => boolean;

/**
 * Whether a token may be typed into the console: on this machine, or where a listed proxy has received the request over TLS
 * (D-338). `proxies` are addresses, or networks such as 10.0.0.0/8.
 */
export function createTransport(proxies: readonly string[]): {
  readonly isPrivate: IsPrivate;
  readonly isTls: IsPrivate;
} {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  // A proxy appends what it has seen to what the client claims.
  const isTls: IsPrivate = (request) => {
    const address = addressOf(request);
    const [claimed = ""] = (request.headersDistinct["x-forwarded-proto"] ?? []).slice(-1);
    return trusted.check(address, isIPv6(address) ? "ipv6" : "ipv4") && /(^|,)\s*https\s*$/i.test(claimed);
  };
  return { isTls, isPrivate: (request) => isLocalHost(request) || isTls(request) };
}

/** Spaces that look like a space, and signs that look like an escape of a control character. */
const LOOKS_LIKE = /(?! )\p{Zs}|[\u2400-\u243f]/u;

function hiddenIn(name: string): string | undefined {
  return [...name].find((character) => printable(character) !== character || LOOKS_LIKE.test(character));
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/**
 * The name of the human who logs in. It is on record with what they decide, so it has to be read for what it is: a character that
 * is not seen, turns the direction of the text or looks like another one would let one human sign as another.
 */
const HumanName = z
  .string()
  .trim()
  .min(1, "must name the human who logs in")
  .max(256)
  .superRefine((name, { addIssue }) => {
    const hidden = hiddenIn(name);
    if (hidden === undefined) return;
    const message = `must name the human who logs in by characters that are seen as what they are; leave out ${codeOf(hidden)}`;
    addIssue({ code: "custom", message });
  });

type LoginDeps = {
  readonly tokens: readonly Token[];
  readonly sessions: ConsoleSessions;
  readonly links: Links;
  readonly transport: ReturnType<typeof createTransport>;
  /** Answers a failed login, and counts it. */
  readonly refuseLogin: RefuseLogin;
  readonly server: { readonly name: string; readonly version: string };
};

const Name = HumanName.optional();

const Secret = z.string().min(1).max(512);

const Login = z
  .strictObject({ token: Secret.optional(), link: Secret.optional(), name: Name })
  .refine(({ token, link }) => (token === undefined) !== (link === undefined), {
    path: ["token"],
    message: "or link must be given, and not both",
  });

const StepUp = z.strictObject({ token: Secret });

const NewLink = z.strictObject({ name: Name });

const Nothing = z.strictObject({});

const DEPTH = 4;

/** The fields of the body; null where it was refused, and that has been answered. */
async function fieldsOf<S extends z.ZodType>(schema: S, request: Call, response: Reply): Promise<z.output<S> | null> {
  const reading = await readBody(request, { max_depth: DEPTH, code: "input_invalid" });
  if (!reading.ok) {
    sendProblem(response, reading.problem);
    return null;
  }
  const parsed = parseInput(schema, reading.value);
  if (parsed.ok) return parsed.value;
  throw invalidInput({ name: "login" }, parsed.issues);
}

const viewFor = ({ tokens, server }: LoginDeps, session: SessionView) => ({
  ...session,
  can_step_up: !session.scopes.includes("approve") && tokens.some(({ scopes }) => scopes.has("approve")),
  server,
});

export const login =
  (deps: LoginDeps): Handler =>
  async (request, response) => {
    if (!deps.transport.isPrivate(request)) return sendProblem(response, NEEDS_TLS);
    const given = await fieldsOf(Login, request, response);
    if (given === null) return;
    const known = loginOf(deps, given);
    if (known === null) return deps.refuseLogin(request, response, WRONG);
    const { token_id, scopes, name } = known;
    const { cookie, key, session } = deps.sessions.open({ token_id, scopes, name: given.name ?? name });
    response.set("Set-Cookie", cookieOf(cookie)).json({ key, ...viewFor(deps, session) });
  };

const WRONG = "This is no token of this server, or the link was used or is older than a minute.";

/** A token without any right, as that of metrics, opens nothing. */
function loginOf({ tokens, links }: LoginDeps, { token, link }: z.output<typeof Login>) {
  if (link !== undefined) return links.use(link);
  const found = token === undefined ? null : findToken(tokens, token);
  return found === null || found.scopes.size === 0 ? null : { ...found, name: null };
}

const NEEDS_TLS = problem("tls_required", "A token sent to the console here could be read on the way.", {
  fix: "Put a proxy with TLS in front of orch that sets X-Forwarded-Proto, and set ORCH_TRUSTED_PROXY to its address; or open the console on this machine, or through an SSH tunnel, at http://127.0.0.1 and the port.",
});

export const stepUp =
  (deps: LoginDeps): Handler =>
  async (request, response) => {
    if (!deps.transport.isPrivate(request)) return sendProblem(response, NEEDS_TLS);
    const given = await fieldsOf(StepUp, request, response);
    if (given === null) return;
    const token = findToken(deps.tokens, given.token);
    if (token?.scopes.has("approve") !== true) return deps.refuseLogin(request, response, NO_APPROVER);
    const presented = presentedIn(request);
    if (presented !== null) deps.sessions.stepUp(presented, token.token_id);
    showSession(deps)(request, response, () => undefined);
  };

const NO_APPROVER = "This is no token that may approve.";

export const showSession =
  (deps: LoginDeps): Handler =>
  (request, response) => {
    const presented = presentedIn(request);
    const session = presented === null ? null : deps.sessions.show(presented);
    if (session === null) return sendProblem(response, problem("session_ended", "Log in to the console."));
    response.json(viewFor(deps, session));
  };

export const logout =
  ({ sessions }: LoginDeps): Handler =>
  async (request, response) => {
    if ((await fieldsOf(Nothing, request, response)) === null) return;
    const presented = presentedIn(request);
    if (presented !== null) sessions.close(presented);
    response.set("Set-Cookie", NO_COOKIE).status(204).end();
  };

/** Only a token makes a link: a session that made one would outlive itself. */
export const makeLink =
  ({ links, transport }: LoginDeps): Handler =>
  async (request, response) => {
    if (!transport.isPrivate(request)) return sendProblem(response, NEEDS_TLS);
    const { token } = response.locals;
    if (token === null || !mayLink(token)) return sendProblem(response, problem("forbidden", NEEDS_TOKEN));
    const given = await fieldsOf(NewLink, request, response);
    if (given === null) return;
    const { link, expires_at } = links.make({ ...token, name: given.name ?? null });
    const scheme = transport.isTls(request) ? "https" : "http";
    response.json({ url: `${scheme}://${request.headers.host}/console#link=${link}`, expires_at });
  };

const mayLink = ({ scopes, turns_of }: Identity): boolean => scopes.size > 0 && turns_of === undefined;

const NEEDS_TOKEN = "A link to the console is made with a bearer token that may read.";
