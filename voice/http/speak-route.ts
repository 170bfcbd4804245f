// POST /speak (D-150). The response is sent when the provider has accepted the speech. If the caller has hung up by then, the
// speech is not spoken. With `wait=false` the response is sent at once, with an id whose state GET /speeches/{id} says.
import type { RequestHandler, Response } from "express";
import { z } from "zod";
import { findTarget, type SpeakTarget } from "../devices.ts";
import { durationOf, type Order, type Pace, PRIORITIES, type Speeches, type SpeechQueue } from "../speech-queue.ts";
import { splitText, spokenText } from "../text/split-text.ts";
import type { Speech } from "../upstream/speak.ts";
import { asVoiceError, VoiceError } from "../voice-error.ts";

export type SpeakSettings = {
  readonly devices: readonly SpeakTarget[];
  readonly locale: string;
  readonly max_characters: number;
  readonly pace: Pace;
};

type Speaking = {
  readonly queue: SpeechQueue;
  readonly speeches: Speeches;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
};

export type SpeakDeps = Speaking & { readonly settings: SpeakSettings };

export const Locale = z.string().regex(/^[a-z]{2}-[A-Z]{2}$/, "must be a locale such as ja-JP");

const requestOf = ({ max_characters, locale }: SpeakSettings) =>
  z.strictObject({
    device: z.string({ error: "must be the name or serial number of a device" }).min(1).max(200),
    text: spokenText(max_characters),
    volume: z.int("must be a whole number from 0 to 100").min(0).max(100).optional(),
    locale: Locale.default(locale),
    priority: z.enum(PRIORITIES, `must be ${PRIORITIES.join(", ")}`).default("normal"),
    max_wait_s: z.int("must be a whole number of seconds").min(0).max(86_400).optional(),
  });

const Flag = z.enum(["true", "false"]);
const Query = z.strictObject({ dry_run: Flag.default("false"), wait: Flag.default("true") });

export function speakRoute({ settings, queue, speeches, stopping }: SpeakDeps): RequestHandler {
  const Body = requestOf(settings);
  return async (request, response) => {
    const { dry_run, wait } = parsed(Query, request.query);
    const { device: asked, text, volume = null, locale, priority, max_wait_s } = parsed(Body, request.body);
    const target = findTarget(settings.devices, asked);
    const speech: Speech = { target, parts: splitText(text), locale, volume };
    const chunks = speech.parts.length;
    response.locals["speech"] = { device: target.name, characters: text.length, chunks };
    const facts = { device: target.name, chunks, estimated_ms: durationOf(speech, settings.pace) };
    const waits = { estimated_wait_ms: queue.waitFor({ speech, priority }) };
    if (dry_run === "true")
      return void response.json({ ok: true, dry_run: true, ...facts, ...waits, locale, volume, texts: speech.parts });
    const order = { speech, priority, max_wait_ms: max_wait_s === undefined ? null : max_wait_s * 1_000 };
    if (wait === "true") {
      let has_begun = false;
      const onBegin = () => {
        has_begun = true;
      };
      const spoken = queue.add({ ...order, signal: AbortSignal.any([stopping, gone(response)]), onBegin });
      hangUpWhenHalfClosed(response, () => has_begun);
      await spoken;
      return void response.json({ ok: true, ...facts });
    }
    const id = begun({ queue, speeches, stopping }, facts, { ...order, signal: stopping });
    response
      .status(202)
      .set("Location", `/speeches/${id}`)
      .json({ ok: true, id, state: "waiting", ...facts, ...waits });
  };
}

/** What is refused now is refused to the caller, and has no id. */
function begun({ queue, speeches, stopping }: Speaking, facts: object, order: Order): string {
  queue.admit(order);
  const run = (onBegin: () => void) => queue.add({ ...order, onBegin });
  return speeches.begin(facts, run, (error) => asVoiceError(error, stopping));
}

/** What has become of a speech that its caller did not wait for. */
export const speechRoute =
  (speeches: Speeches): RequestHandler =>
  ({ params }, response) => {
    const { id, facts, ...state } = speeches.find(String(params["id"]));
    if (state.state !== "failed") return void response.json({ ok: true, id, ...state, ...facts });
    const { code, message, details } = state.failure;
    response.json({ ok: true, id, state: state.state, ...facts, error: code, message, ...details });
  };

/** Aborted when the caller hangs up before the response. */
function gone(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
}

/** A client that has shut its sending side may be gone. It gets the answer of a speech that has begun; one that waits is not spoken. */
function hangUpWhenHalfClosed(response: Response, hasBegun: () => boolean): void {
  const { socket } = response.req;
  const end = () => void (hasBegun() || response.destroy());
  socket.once("end", end);
  response.once("close", () => socket.off("end", end));
  if (socket.readableEnded) end();
}

/** Throws for the first wrong field. */
function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  const issue = error?.issues[0];
  if (issue === undefined) return data as T;
  const [unknown] = issue.code === "unrecognized_keys" ? issue.keys : [];
  const field = [...issue.path, ...(unknown === undefined ? [] : [unknown])].join(".");
  const message = unknown === undefined ? issue.message : "is not known here";
  throw new VoiceError("invalid_request", `${field === "" ? "The body" : field} ${message}`, { field });
}
