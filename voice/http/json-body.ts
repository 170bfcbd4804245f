// Reads a JSON body: UTF-8, limited in size, and never one that a page may send without a preflight request.
import { isUtf8 } from "node:buffer";
import express, { type RequestHandler } from "express";
import { jsonIn } from "../json.ts";
import { VoiceError } from "../voice-error.ts";

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

/** Stores the parsed value in `request.body`. */
export const readJson: RequestHandler = (request, response, next) => {
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
