// A notes server on loopback that behaves as one of three real ones do, accidents included: real HTTP, the notes in memory
// (notes-model.ts), the tools of its profile, and the faults that a test switches on (switches.ts).
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Answer,
  empty,
  envelopeOf,
  json,
  type Received,
  readBody,
  sendAnswer,
} from "../../support/request-recorder.ts";
import { gitProfile } from "./git-tools.ts";
import { answerTo, failure, Message } from "./json-rpc.ts";
import { nativeProfile } from "./native-tools.ts";
import { contentsOf, createNotesModel, type NotesModel } from "./notes-model.ts";
import { npmProfile } from "./npm-tools.ts";
import { allOff, type Switches, strikes } from "./switches.ts";
import type { Profile } from "./tool.ts";
import { createToolCalls, NOTHING } from "./tool-calls.ts";

/** `native` is part of the notes application, `git` and `npm` stand before its REST API. */
export type NotesProfile = "native" | "git" | "npm";

const PROFILES: Readonly<Record<NotesProfile, Profile>> = { native: nativeProfile, git: gitProfile, npm: npmProfile };

export type NotesServerOptions = {
  /** Any that is free without it. */
  readonly port?: number;
  /** Loopback without it. */
  readonly host?: string;
  /** One with nothing but the root without it. */
  readonly model?: NotesModel;
  readonly switches?: Partial<Switches>;
};

export async function startNotesServer(name: NotesProfile, options: NotesServerOptions = {}) {
  const { port = 0, host = "127.0.0.1", model = createNotesModel() } = options;
  const switches: Switches = { ...allOff(), ...options.switches };
  let disk = contentsOf(model);
  const calls = createToolCalls(PROFILES[name], model, switches);
  const sessions = new Set<string>();
  const serving: Serving = { name, profile: PROFILES[name], switches, sessions, calls };
  const server = createServer(async (request, response) => {
    const received = { ...envelopeOf(request), body: await readBody(request) };
    const answer = strikes(switches, "down") ? NOTHING : await answerOf(serving, received);
    if (answer === NOTHING) response.socket?.resetAndDestroy();
    else sendAnswer(response, answer);
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    model,
    switches,
    /** Every tools/call that reached the tools, in order; not what was turned away before. */
    calls: calls.calls,
    /** Those of them that change something, or try to. */
    writes: calls.writes,
    /** Those of them that put a note, or text, somewhere: not what only takes a note out of a place. */
    puts: () => calls.writes().filter(({ args }) => args.action !== "unlink"),
    /** As if the server had been started anew. */
    forgetSessions: (): void => sessions.clear(),
    /** The disk cannot be written from now on: writes are made in memory, and said to be done (seen on the real application). */
    lockDisk: (): void => {
      disk = contentsOf(model);
    },
    /** Starts the application anew, with what its disk had when it was locked. */
    restart: (): void => {
      sessions.clear();
      model.restore(disk);
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

type Serving = {
  readonly name: NotesProfile;
  readonly profile: Profile;
  readonly switches: Switches;
  readonly sessions: Set<string>;
  readonly calls: ReturnType<typeof createToolCalls>;
};

async function answerOf(serving: Serving, received: Received): Promise<Answer | typeof NOTHING> {
  const { profile, switches, sessions, calls } = serving;
  const refusal = refusalOf(serving, received) ?? (profile.is_stateful ? unknownSession(serving, received) : undefined);
  if (refusal !== undefined) return refusal;
  const session_id = sessionOf(received);
  if (received.method === "DELETE" && session_id !== undefined && sessions.delete(session_id)) return empty(200);
  if (received.method !== "POST") return empty(405, { allow: "POST" });
  const { accept = "" } = received.headers;
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) return json(NOT_ACCEPTABLE, 406);
  const message = messageIn(received);
  if (message === undefined) return json(failure(null, -32_700, "Parse error"), 400);
  if (message.id === undefined) return empty(202);
  const reply = await answerTo(message, { profile, calls, annotates: switches.annotate });
  if (reply === NOTHING) return NOTHING;
  const answer = switches.sse ? eventOf(reply) : json(reply);
  if (!profile.is_stateful || message.method !== "initialize") return answer;
  const opened = randomUUID();
  sessions.add(opened);
  return { ...answer, headers: { "mcp-session-id": opened } };
}

const NOT_ACCEPTABLE = failure(
  null,
  -32_000,
  "Not Acceptable: Client must accept both application/json and text/event-stream",
);
const DISABLED = { error: "MCP server is disabled. Enable it in the options." };

/** The guards before the tools. A server that requires no token serves its own machine only. */
function refusalOf({ name, switches }: Serving, { url, headers }: Received): Answer | undefined {
  const { host = "", authorization } = headers;
  const machine = host.replace(/:\d+$/, "");
  if (!url.endsWith("?redirected") && strikes(switches, "redirect")) {
    const other = host.replace(machine, machine === "localhost" ? "127.0.0.1" : "localhost");
    return empty(307, { location: `http://${other}/mcp?redirected` });
  }
  const isLocal = machine === "localhost" || machine === "127.0.0.1";
  if (name === "native" && switches.bearer === undefined && !isLocal) {
    return json(failure(null, -32_000, `Invalid Host header: ${host}`), 403);
  }
  if (strikes(switches, "disabled")) return json(DISABLED, 403);
  const isKnown = switches.bearer === undefined || authorization === `Bearer ${switches.bearer}`;
  return isKnown && !strikes(switches, "unauthorized") ? undefined : json({ error: "unauthorized" }, 401);
}

const sessionOf = ({ headers }: Received): string | undefined => {
  const id = headers["mcp-session-id"];
  return typeof id === "string" ? id : undefined;
};

function unknownSession({ sessions }: Serving, received: Received): Answer | undefined {
  const session_id = sessionOf(received);
  if (session_id !== undefined) {
    return sessions.has(session_id) ? undefined : json({ error: "unknown_session", sessionId: session_id }, 404);
  }
  const isBegin = received.method === "POST" && messageIn(received)?.method === "initialize";
  return isBegin ? undefined : json({ error: "missing_session_id" }, 400);
}

function messageIn({ body }: Received): Message | undefined {
  try {
    return Message.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

const eventOf = (message: object): Answer => ({
  status: 200,
  type: "text/event-stream",
  body: `event: message\ndata: ${JSON.stringify(message)}\n\n`,
});
