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
    skillId: z.literal("amzn1.ask.1p.saysomething").optional(),
    operationPayload: Payload.extend({ textToSpeak: z.string() }).strict(),
  }),
  z.strictObject({
    "@type": z.literal(`${MODEL}.OpaquePayloadOperationNode`),
    type: z.literal("Alexa.DeviceControls.Volume"),
    skillId: z.literal("amzn1.ask.1p.alexadevicecontrols").optional(),
    operationPayload: Payload.extend({ value: z.int().min(0).max(100) }).strict(),
  }),
]);
const Serial = z.strictObject({
  "@type": z.literal(`${MODEL}.SerialNode`),
  nodesToExecute: z.array(Operation).min(2),
});
const Parallel = z.strictObject({
  "@type": z.literal(`${MODEL}.ParallelNode`),
  nodesToExecute: z.array(z.union([Operation, Serial])).min(2),
});
const Sequence = z.strictObject({
  "@type": z.literal(`${MODEL}.Sequence`),
  startNode: z.union([Operation, Serial, Parallel]),
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

/** What is done one after the other, for each of the branches that are done at once. Null where the input does not validate. */
export function readPreview(bytes: Buffer, contentType: string): Node[][] | null {
  const encoding = /charset=utf-8/i.test(contentType) ? "utf8" : "latin1";
  try {
    const { sequenceJson } = Preview.parse(JSON.parse(bytes.toString(encoding)));
    const { startNode } = Sequence.parse(JSON.parse(sequenceJson));
    const isParallel = startNode["@type"] === `${MODEL}.ParallelNode`;
    const branches = isParallel ? startNode.nodesToExecute : [startNode];
    return branches.map((branch) =>
      "nodesToExecute" in branch ? branch.nodesToExecute.filter(isOperation) : [branch],
    );
  } catch {
    return null;
  }
}

const isOperation = (node: z.infer<typeof Operation> | z.infer<typeof Serial>): node is Node =>
  !("nodesToExecute" in node);

/** What is heard of a node: SSML with three entities and no element, or nothing. */
export function heard(node: Node): string {
  if (node.type !== "Alexa.Speak") return "";
  const { textToSpeak } = node.operationPayload;
  const wellFormed = textToSpeak.length <= MAX_TEXT && !/[<>]|&(?!amp;|lt;|gt;)/.test(textToSpeak);
  return wellFormed ? textToSpeak.replace(/&\w+;/g, (entity) => ENTITIES.get(entity) ?? entity) : "";
}
