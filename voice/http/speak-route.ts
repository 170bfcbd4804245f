// POST /speak (D-150). The response is sent when the provider has accepted the speech. If the caller has hung up by then, the
// speech is not spoken.
import type { RequestHandler, Response } from "express";
import { z } from "zod";
import { type Device, findDevice } from "../devices.ts";
import { durationOf, type Pace, type SpeechQueue } from "../speech-queue.ts";
import { splitText } from "../text/split-text.ts";
import { spokenText } from "../text/spoken-text.ts";
import type { Speech } from "../upstream/sequence.ts";
import { VoiceError } from "../voice-error.ts";

export type SpeakSettings = {
  readonly devices: readonly Device[];
  readonly locale: string;
  readonly max_characters: number;
  readonly pace: Pace;
};

export const Locale = z.string().regex(/^[a-z]{2}-[A-Z]{2}$/, "must be a locale such as ja-JP");

const requestOf = ({ max_characters, locale }: SpeakSettings) =>
  z.strictObject({
    device: z.string({ error: "must be the name or serial number of a device" }).min(1).max(200),
    text: spokenText(max_characters),
    volume: z.int("must be a whole number from 0 to 100").min(0).max(100).optional(),
    locale: Locale.default(locale),
  });

const Query = z.strictObject({ dry_run: z.enum(["true", "false"]).default("false") });

export function speakRoute(settings: SpeakSettings, queue: SpeechQueue, stopping: AbortSignal): RequestHandler {
  const Body = requestOf(settings);
  return async (request, response) => {
    const { dry_run } = parsed(Query, request.query);
    const { device: asked, text, volume = null, locale } = parsed(Body, request.body);
    const device = findDevice(settings.devices, asked);
    const speech: Speech = { device, parts: splitText(text), locale, volume };
    response.locals["speech"] = { device: device.name, characters: text.length, chunks: speech.parts.length };
    const told = { device: device.name, chunks: speech.parts.length, estimated_ms: durationOf(speech, settings.pace) };
    if (dry_run === "true")
      return void response.json({ ok: true, dry_run: true, ...told, locale, volume, texts: speech.parts });
    await queue.add(speech, AbortSignal.any([stopping, gone(response)]));
    response.json({ ok: true, ...told });
  };
}

/** Aborted when the caller hangs up before the response. */
function gone(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
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
