// Through which queue a wakeup goes. A `take_up` with labels goes through the queue of one of them, so that a server asks one queue
// for each of its labels, and not one for each set of them (D-318).
import { z } from "zod";
import type { WakeupKind, WakeupOptions } from "../domain/wakeup.ts";
import type { QueueEntry } from "./entries.ts";
import { LATER, WAKEUP } from "./open-boss.ts";

/** What is written of a wakeup. `tries`: how often it was not done. */
export const WrittenWakeup = z.object({
  id: z.string(),
  labels: z.array(z.string()),
  tries: z.number().int().default(0),
});
export type WrittenWakeup = z.output<typeof WrittenWakeup>;
export const LaterWakeup = WrittenWakeup.extend({ queue: z.string() });

/** A label has colons, which the name of a queue cannot have, and no slash. */
const queueOfLabel = (label: string): string => `take_up.${label.replaceAll(":", "/")}`;

/** What was not done: how often, and which of its labels the server lacked that tried it last. */
export type Again = { readonly tries: number; readonly lacking: string | undefined };

/** The label that says most: that of one host, else the first in their order. Then that of which it is known that servers lack it. */
function queueOf(kind: WakeupKind, labels: readonly string[], lacking: string | undefined): string {
  const label = lacking ?? labels.find((one) => one.startsWith("host:")) ?? [...labels].sort()[0];
  return kind === "take_up" && label !== undefined ? queueOfLabel(label) : kind;
}

/** Those that a server with these labels asks. */
export const queuesFor = (kind: WakeupKind, labels: readonly string[]): string[] =>
  kind === "take_up" ? [kind, ...labels.map(queueOfLabel)] : [kind];

export const queueOfDuty = (name: string): string => `duty.${name}`;

/** What is due later has a key of its own for each second. */
export function entryOf(
  kind: WakeupKind,
  id: string,
  { after_ms = 0, labels = [], within }: WakeupOptions,
  { tries, lacking }: Again = { tries: 0, lacking: undefined },
): QueueEntry {
  const queue = queueOf(kind, labels, lacking);
  const data = { id, labels, tries };
  if (after_ms <= 0) return { queue, data, options: { ...WAKEUP, singletonKey: id }, within };
  const singletonKey = `${queue} ${Math.ceil((Date.now() + after_ms) / 1_000)} ${id}`;
  const options = { ...WAKEUP, singletonKey, startAfter: after_ms / 1_000 };
  return { queue: LATER, data: { ...data, queue }, options, within };
}
