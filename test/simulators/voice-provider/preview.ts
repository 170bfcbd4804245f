// Reads a behavior preview as the provider does: strictly, and as Latin-1 when no charset is named.
import { z } from "zod";

const MODEL = "com.amazon.alexa.behaviors.model";
const Payload = z.object({
  deviceType: z.string(),
  deviceSerialNumber: z.string(),
  locale: z.string(),
  customerId: z.string(),
});
const Operation = z.discriminatedUnion("type", [
  z.strictObject({
    "@type": z.literal(`${MODEL}.OpaquePayloadOperationNode`),
    type: z.literal("Alexa.Speak"),
    operationPayload: Payload.extend({ textToSpeak: z.string() }).strict(),
  }),
  z.strictObject({
    "@type": z.literal(`${MODEL}.OpaquePayloadOperationNode`),
    type: z.literal("Alexa.DeviceControls.Volume"),
    operationPayload: Payload.extend({ value: z.int().min(0).max(100) }).strict(),
  }),
]);
const Serial = z.strictObject({
  "@type": z.literal(`${MODEL}.SerialNode`),
  nodesToExecute: z.array(Operation).min(2),
});
const Sequence = z.strictObject({
  "@type": z.literal(`${MODEL}.Sequence`),
  startNode: z.union([Operation, Serial]),
});
const Preview = z.strictObject({
  behaviorId: z.literal("PREVIEW"),
  sequenceJson: z.string(),
  status: z.literal("ENABLED"),
});

export type Node = z.infer<typeof Operation>;

/** Longer texts end in silence. */
const MAX_TEXT = 250;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
]);

/** Null where the provider answers that its input failed to validate. */
export function readPreview(bytes: Buffer, contentType: string): Node[] | null {
  const encoding = /charset=utf-8/i.test(contentType) ? "utf8" : "latin1";
  try {
    const { sequenceJson } = Preview.parse(JSON.parse(bytes.toString(encoding)));
    const { startNode } = Sequence.parse(JSON.parse(sequenceJson));
    return "nodesToExecute" in startNode ? startNode.nodesToExecute : [startNode];
  } catch {
    return null;
  }
}

/** What is heard of a node: SSML with three entities and no element, or nothing. */
export function heard(node: Node): string {
  if (node.type !== "Alexa.Speak") return "";
  const { textToSpeak } = node.operationPayload;
  const wellFormed = textToSpeak.length <= MAX_TEXT && !/[<>]|&(?!amp;|lt;|gt;)/.test(textToSpeak);
  return wellFormed ? textToSpeak.replace(/&\w+;/g, (entity) => ENTITIES.get(entity) ?? entity) : "";
}
