// Sends the third call, POST /api/behaviors/preview. A request that was refused for its csrf or cookie had no effect, so it is
// sent once more with new ones. After any other failure it is not, because the device might speak twice (D-152).
import type { Device, SpeakTarget } from "../devices.ts";
import type { ProviderResponse } from "../exchange.ts";
import { escapeSsml } from "../text/split-text.ts";
import { VoiceError } from "../voice-error.ts";
import { accountRefusal, isPage, isThrottled, PERHAPS_SPOKEN } from "./refusals.ts";
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

const MODEL = "com.amazon.alexa.behaviors.model";

/** As the provider's own clients name what a node uses. */
const SKILLS = {
  "Alexa.Speak": "amzn1.ask.1p.saysomething",
  "Alexa.DeviceControls.Volume": "amzn1.ask.1p.alexadevicecontrols",
} as const;

export type Speech = {
  readonly target: SpeakTarget;
  /** In order, unescaped. */
  readonly parts: readonly string[];
  readonly locale: string;
  /** 0 to 100. */
  readonly volume: number | null;
};

/**
 * The body of a behavior preview [1.B.2]: `sequenceJson` is JSON in JSON. Pure ASCII, because the provider has been observed to
 * read bodies as Latin-1. The devices of a group speak at the same time, by one request.
 */
function previewBody(speech: Speech, customer_id: string): string {
  const nodes = speech.target.devices.map((device) => nodeFor(device, speech, customer_id));
  const [only, ...more] = nodes;
  const startNode = more.length === 0 ? only : { "@type": `${MODEL}.ParallelNode`, nodesToExecute: nodes };
  const sequenceJson = JSON.stringify({ "@type": `${MODEL}.Sequence`, startNode });
  return asciiJson({ behaviorId: "PREVIEW", sequenceJson, status: "ENABLED" });
}

function nodeFor(device: Device, { parts, locale, volume }: Speech, customerId: string): object | undefined {
  const payload = { deviceType: device.device_type, deviceSerialNumber: device.serial_number, locale, customerId };
  const speak = parts.map((part) => operation("Alexa.Speak", { ...payload, textToSpeak: escapeSsml(part) }));
  const setVolume = (value: number) => operation("Alexa.DeviceControls.Volume", { ...payload, value });
  const before = volume === null ? [] : [setVolume(volume)];
  const after = volume === null || device.volume === undefined ? [] : [setVolume(device.volume)];
  const [only, ...more] = [...before, ...speak, ...after];
  return more.length === 0 ? only : { "@type": `${MODEL}.SerialNode`, nodesToExecute: [only, ...more] };
}

const operation = (type: keyof typeof SKILLS, operationPayload: object) => ({
  "@type": `${MODEL}.OpaquePayloadOperationNode`,
  type,
  skillId: SKILLS[type],
  operationPayload,
});

/** Escapes by UTF-16 unit, as JSON does. */
const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
