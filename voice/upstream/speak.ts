// The third call, POST /api/behaviors/preview. A request that was refused for its csrf or cookie had no effect, so it is sent
// once more with new ones. After any other failure it is not, because the device might speak twice (D-152).
import type { ProviderResponse } from "../exchange.ts";
import { VoiceError } from "../voice-error.ts";
import { accountRefusal, isPage, isThrottled, PERHAPS_SPOKEN } from "./answers.ts";
import { previewBody, type Speech } from "./sequence.ts";
import type { Sessions, SpeakingSession } from "./session.ts";
import type { AskUpstream, Turn } from "./upstream.ts";

/** Resolves when the provider has accepted the speech; its end is not reported. Rejects with a VoiceError. */
export type Speak = (speech: Speech, turn: Turn) => Promise<void>;

export function createSpeak(ask: AskUpstream, sessions: Sessions): Speak {
  const preview = (speech: Speech, { cookie, csrf, customer_id }: SpeakingSession, turn: Turn) =>
    ask({
      method: "POST",
      path: "/api/behaviors/preview",
      cookie: cookie.pairs,
      csrf,
      body: previewBody(speech, customer_id),
      ...turn,
    });

  return async (speech, turn) => {
    const session = await sessions.current();
    const answer = await preview(speech, session, turn);
    if (accountRefusal(answer) === null) return accept(answer, speech);
    sessions.drop(session);
    const renewed = await sessions.current();
    const second = await preview(speech, renewed, turn);
    const refusal = accountRefusal(second);
    if (refusal !== null) throw sessions.refuse(renewed, refusal);
    accept(second, speech);
  };
}

/** An accepted request has no body; a page is not an acceptance. */
function accept(answer: ProviderResponse, { target }: Speech): void {
  const { status: upstream_status } = answer;
  const isSuccess = upstream_status >= 200 && upstream_status < 300;
  const page = isPage(answer);
  if (isSuccess && !page && !isThrottled(answer)) return;
  if (upstream_status === 400) {
    const message = `The provider refused the request (400); check serial_number and device_type of ${target.name}.`;
    throw new VoiceError("upstream_error", message, { upstream_status });
  }
  if (upstream_status >= 500) {
    const message = `The provider failed (${upstream_status}).${PERHAPS_SPOKEN}`;
    throw new VoiceError("upstream_error", message, { upstream_status, perhaps_spoken: true });
  }
  const message = `The provider responded ${upstream_status}${page ? " with a page" : ""}, which this version does not know: its API may have changed.`;
  if (!isSuccess) throw new VoiceError("upstream_changed", message, { upstream_status });
  throw new VoiceError("upstream_changed", message + PERHAPS_SPOKEN, { upstream_status, perhaps_spoken: true });
}
