// Logging in to the console, more rights for some minutes, and logging out. A token comes once, in a body; from then on the session
// takes its place.
import { z } from "zod";
import { invalidInput } from "../../operations/operation.ts";
import { parseInput } from "../../schema/parse-input.ts";
import { readBody } from "../body.ts";
import { findToken, type RefuseLogin } from "../caller.ts";
import type { Call, Handler, Identity, Reply, Token } from "../context.ts";
import { problem, sendProblem } from "../problem.ts";
import { cookieOf, NO_COOKIE, presentedIn } from "./cookie.ts";
import { HumanName } from "./human-name.ts";
import type { Links } from "./links.ts";
import type { ConsoleSessions, SessionView } from "./sessions.ts";
import type { createTransport } from "./transport.ts";

export type LoginDeps = {
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
