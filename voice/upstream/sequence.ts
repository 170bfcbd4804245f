// The body of a behavior preview [1.B.2]: `sequenceJson` is JSON in JSON. Pure ASCII, because the provider has been observed to
// read bodies as Latin-1.
import type { Device } from "../devices.ts";
import { escapeSsml } from "../text/split-text.ts";

const MODEL = "com.amazon.alexa.behaviors.model";

export type Speech = {
  readonly device: Device;
  /** In order, unescaped. */
  readonly parts: readonly string[];
  readonly locale: string;
  /** 0 to 100. */
  readonly volume: number | null;
};

export function previewBody(speech: Speech, customer_id: string): string {
  const sequenceJson = JSON.stringify({ "@type": `${MODEL}.Sequence`, startNode: startNode(speech, customer_id) });
  return asciiJson({ behaviorId: "PREVIEW", sequenceJson, status: "ENABLED" });
}

function startNode(speech: Speech, customerId: string): object {
  const { device, parts, locale, volume } = speech;
  const payload = { deviceType: device.device_type, deviceSerialNumber: device.serial_number, locale, customerId };
  const speak = parts.map((part) => operation("Alexa.Speak", { ...payload, textToSpeak: escapeSsml(part) }));
  const setVolume = (value: number) => operation("Alexa.DeviceControls.Volume", { ...payload, value });
  const before = volume === null ? [] : [setVolume(volume)];
  const after = volume === null || device.volume === undefined ? [] : [setVolume(device.volume)];
  const [only, ...more] = [...before, ...speak, ...after];
  if (only !== undefined && more.length === 0) return only;
  return { "@type": `${MODEL}.SerialNode`, nodesToExecute: [only, ...more] };
}

const operation = (type: string, operationPayload: object) => ({
  "@type": `${MODEL}.OpaquePayloadOperationNode`,
  type,
  operationPayload,
});

/** Escapes by UTF-16 unit, as JSON does. */
const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
