// Only a caller with VOICE_TOKEN may make a device speak. Without VOICE_TOKEN, only programs of this machine may, and no page
// in a browser (D-159).
import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import { VoiceError } from "../voice-error.ts";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

export function authenticate(token: string | null): RequestHandler {
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
