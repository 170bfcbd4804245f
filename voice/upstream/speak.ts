// The third call (spec section 4, B: POST /api/behaviors/preview). Refused for its csrf or cookie it has had no effect, so it is
// made once more with new ones; after anything else it is not, because the device might speak twice.
import type { Answer } from "../exchange.ts";
import { VoiceError } from "../voice-error.ts";
import { isSignedOut } from "./answers.ts";
import { previewBody, type Speech } from "./sequence.ts";
import type { Session, Sessions } from "./session.ts";
import type { AskUpstream } from "./upstream.ts";

/** Resolves when the provider has accepted the speech: there is no word of its end. Rejects with a VoiceError. */
export type Speak = (speech: Speech, signal: AbortSignal) => Promise<void>;

export function createSpeak(ask: AskUpstream, sessions: Sessions): Speak {
  const preview = (speech: Speech, { cookie, csrf, customer_id }: Session, signal: AbortSignal) =>
    ask({
      method: "POST",
      path: "/api/behaviors/preview",
      cookie: cookie.pairs,
      csrf,
      body: previewBody(speech, customer_id),
      signal,
    });

  return async (speech, signal) => {
    const session = await sessions.current();
    const answer = await preview(speech, session, signal);
    if (!isSignedOut(answer)) return accept(answer, speech);
    sessions.drop(session);
    const renewed = await sessions.current();
    const second = await preview(speech, renewed, signal);
    if (isSignedOut(second)) throw sessions.expire(renewed);
    accept(second, speech);
  };
}

/** What is accepted has no body; a page is no acceptance. */
function accept({ status: upstream_status, headers }: Answer, { device }: Speech): void {
  const page = /\btext\/html\b/i.test(String(headers["content-type"]));
  if (upstream_status >= 200 && upstream_status < 300 && !page) return;
  if (upstream_status === 400) {
    const message = `The provider refuses the request (400); check serial_number and device_type of ${device.name}.`;
    throw new VoiceError("upstream_error", message, { upstream_status });
  }
  if (upstream_status >= 500) {
    const message = `The provider failed (${upstream_status}). The device may have spoken all the same, so it was not tried again.`;
    throw new VoiceError("upstream_error", message, { upstream_status, perhaps_spoken: true });
  }
  const message = `The provider answers ${upstream_status}${page ? " with a page" : ""}, which this version does not know: its API may have changed.`;
  throw new VoiceError("upstream_changed", message, { upstream_status });
}
