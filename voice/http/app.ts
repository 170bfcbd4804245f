// Serves the HTTP endpoint of the voice server: /speak, /speeches/{id}, /devices, and two health routes that do not call the
// provider. It reads bodies, and checks who may make a device speak (D-159).
import { isUtf8 } from "node:buffer";
import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import express from "express";
import type { SpeakTarget } from "../devices.ts";
import { jsonIn } from "../exchange.ts";
import type { VoiceLog } from "../log.ts";
import type { Speeches, SpeechQueue } from "../speech-queue.ts";
import type { Sessions } from "../upstream/session.ts";
import { asVoiceError, VoiceError } from "../voice-error.ts";
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

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Only a caller with VOICE_TOKEN may make a device speak. Without VOICE_TOKEN, only programs of this machine may, and no page in
 * a browser (D-159).
 */
function authenticate(token: string | null): RequestHandler {
  return token === null ? checkHost : checkToken(digest(token));
}

const checkToken =
  (expected: Buffer): RequestHandler =>
  ({ headers }, response, next) => {
    const sent = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
    if (timingSafeEqual(digest(sent), expected)) return next();
    response.set("WWW-Authenticate", "Bearer");
    next(new VoiceError("unauthorized", "Send Authorization: Bearer with the token of VOICE_TOKEN."));
  };

/** A foreign host name that resolves to this machine (DNS rebinding) comes from a browser; so does an Origin. */
const checkHost: RequestHandler = ({ headers }, _response, next) => {
  const local = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(headers.host ?? "");
  if (local && headers.origin === undefined) return next();
  next(
    new VoiceError(
      "host_refused",
      "Without VOICE_TOKEN the server accepts only programs of this machine, as 127.0.0.1.",
    ),
  );
};

const MAX_BYTES = 64 * 1024;

const readBytes = express.raw({ limit: MAX_BYTES, inflate: false, type: "application/json" });

const NOT_JSON = new VoiceError("invalid_request", "The body is not JSON in UTF-8.");
const UNSUPPORTED = new VoiceError(
  "unsupported_media_type",
  "Send Content-Type: application/json; charset=utf-8, without a Content-Encoding.",
);
const TOO_LARGE = new VoiceError("body_too_large", `A body may have ${MAX_BYTES} bytes.`);

/** The parser's names for its errors; any other error is a body that did not arrive. */
const FAULTS: ReadonlyMap<unknown, VoiceError> = new Map([
  ["entity.too.large", TOO_LARGE],
  ["encoding.unsupported", UNSUPPORTED],
]);

/**
 * Reads a JSON body: UTF-8, limited in size, and never one that a page may send without a preflight request. Stores the parsed
 * value in `request.body`.
 */
const readJson: RequestHandler = (request, response, next) => {
  if (!isUtf8Json(request.headers["content-type"] ?? "")) return next(UNSUPPORTED);
  readBytes(request, response, (error?: { readonly type?: unknown }) => {
    if (error !== undefined) return next(FAULTS.get(error.type) ?? NOT_JSON);
    const { body } = request;
    request.body = Buffer.isBuffer(body) && isUtf8(body) ? jsonIn(body.toString("utf8")) : undefined;
    next(request.body === undefined ? NOT_JSON : undefined);
  });
};

const isUtf8Json = (type: string): boolean =>
  /^application\/json *(;|$)/i.test(type) && /^utf-8$/i.test(/charset="?([^";\s]*)/i.exec(type)?.[1] ?? "utf-8");
