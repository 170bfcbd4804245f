// The HTTP endpoint of the voice server: /speak, /speeches/{id}, /devices, and two health routes that do not call the provider.
import { randomUUID } from "node:crypto";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import type { SpeakTarget } from "../devices.ts";
import type { VoiceLog } from "../log.ts";
import type { SpeechQueue } from "../speech-queue.ts";
import type { Speeches } from "../speeches.ts";
import type { Sessions } from "../upstream/session.ts";
import { asVoiceError, VoiceError } from "../voice-error.ts";
import { authenticate } from "./authenticate.ts";
import { readJson } from "./json-body.ts";
import { type SpeakSettings, speakRoute, speechRoute } from "./speak-route.ts";

export type VoiceAppDeps = {
  readonly token: string | null;
  readonly settings: SpeakSettings;
  readonly queue: SpeechQueue;
  readonly speeches: Speeches;
  /** Whether the provider is expected to accept a speech, or the reason why not. */
  readonly upstreamState: () => ReturnType<Sessions["state"]>;
  readonly log: VoiceLog;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
};

export function createApp({ token, settings, queue, speeches, upstreamState, log, stopping }: VoiceAppDeps): Express {
  const app = express();
  // If the response to an error fails too, Express sends no stack in production.
  app.set("env", "production");
  app.disable("x-powered-by").disable("etag").enable("case sensitive routing").set("query parser", "simple");
  app.use(begin, logRequests(log));
  serve(app, "/health", "GET", (_request, response) => void response.json(health(upstreamState(), queue)));
  serve(app, "/ready", "GET", ready(upstreamState));
  app.use(authenticate(token));
  serve(app, "/devices", "GET", devices(settings));
  serve(app, "/speak", "POST", readJson, speakRoute({ settings, queue, speeches, stopping }));
  serve(app, "/speeches/:id", "GET", speechRoute(speeches));
  app.use((_request, _response, next) =>
    next(
      new VoiceError(
        "not_found",
        "The routes are POST /speak, GET /speeches/{id}, GET /devices, GET /health and GET /ready.",
      ),
    ),
  );
  app.use(answerError(log, stopping));
  return app;
}

const begin: RequestHandler = (_request, response, next) => {
  response.locals["request_id"] = randomUUID();
  response.set({
    "X-Request-Id": String(response.locals["request_id"]),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  next();
};

function serve(app: Express, path: string, method: "GET" | "POST", ...handlers: RequestHandler[]): void {
  app[method === "GET" ? "get" : "post"](path, ...handlers);
  app.all(path, (_request, response, next) => {
    response.set("Allow", method === "GET" ? "GET, HEAD" : method);
    next(new VoiceError("method_not_allowed", `Use ${method}.`));
  });
}

/** The process serves; the state of the cookie is additional information. */
function health(state: ReturnType<Sessions["state"]>, queue: SpeechQueue): object {
  return { ok: true, upstream: state instanceof VoiceError ? state.code : state, waiting: queue.waiting() };
}

/** Whether a speech is expected to be spoken. */
const ready =
  (upstreamState: VoiceAppDeps["upstreamState"]): RequestHandler =>
  (_request, response, next) => {
    const state = upstreamState();
    if (state === "ready") return void response.json({ ok: true, upstream: state });
    next(state instanceof VoiceError ? state : new VoiceError("starting", "The cookie has not been tried yet."));
  };

/** Names only: they are enough to speak, and serial numbers stay private. */
const devices =
  (settings: SpeakSettings): RequestHandler =>
  (_request, response) =>
    void response.json({ ok: true, devices: settings.devices.map(named) });

const named = ({ name, devices }: SpeakTarget) =>
  devices.length === 1 ? { name } : { name, members: devices.map((device) => device.name) };

/** Health checks come every few seconds, so they are logged at `debug`. */
const logRequests =
  (log: VoiceLog): RequestHandler =>
  ({ method, path }, response, next) => {
    const started = performance.now();
    response.once("close", () => {
      const { request_id, speech, error } = response.locals;
      const answered = response.headersSent ? { status: response.statusCode, error } : { error: "caller_gone" };
      const duration_ms = Math.round(performance.now() - started);
      const details = { request_id, method, path, ...speech, ...answered, duration_ms };
      if (path === "/health" || path === "/ready") log.debug(details, "request");
      else log.info(details, "request");
    });
    next();
  };

function answerError(log: VoiceLog, stopping: AbortSignal): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const known = asVoiceError(error, stopping);
    response.locals["error"] = known.code;
    if (response.closed) return;
    const { request_id } = response.locals;
    if (known.code === "internal_error") log.error({ request_id, err: error }, "a request failed");
    const { retry_after } = known.details;
    if (retry_after !== undefined) response.set("Retry-After", String(retry_after));
    if (response.headersSent) response.destroy();
    else response.status(known.status).json({ ok: false, error: known.code, message: known.message, ...known.details });
  };
}
