// The body of a behavior preview [1.B.2]: `sequenceJson` is JSON in JSON. Pure ASCII, because the provider has been observed to
// read bodies as Latin-1.
import type { Device, SpeakTarget } from "../devices.ts";
import { escapeSsml } from "../text/split-text.ts";

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

/** The devices of a group speak at the same time, by one request. */
export function previewBody(speech: Speech, customer_id: string): string {
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
