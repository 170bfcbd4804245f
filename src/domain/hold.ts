// Defines what holds a task before its first step: a freeze, or a window by calendar.
import { z } from "zod";

/** What of a task decides whether something holds it. */
export type StartableTask = { readonly intent: string; readonly target_signature: string };

/** What holds a task, as every answer shows it. */
export const HeldBy = z.strictObject({
  freeze_id: z.string().nullable().describe("null for a window of ORCH_FREEZE_WINDOWS"),
  reason: z.string(),
  until: z.iso.datetime().nullable().describe("when the window ends; null for a freeze, which somebody thaws"),
});
export type HeldBy = z.infer<typeof HeldBy>;

/** `held by freeze-1a2b3c4d: the disk is replaced`. */
export const heldText = ({ freeze_id, reason, until }: HeldBy): string => {
  const by = freeze_id === null ? "a freeze window" : freeze_id;
  return `held by ${by}${until === null ? "" : ` until ${until}`}: ${reason}`;
};
