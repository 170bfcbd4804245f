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

/** What holds tasks, as this server knows it. It decides what is not even tried; the commit of a first step decides in the database. */
export type TaskHolds = {
  /** Reads what holds tasks now. */
  readonly look: () => Promise<void>;
  /** What holds the task, if it has not begun; null where nothing does. */
  readonly holdOn: (task: StartableTask) => HeldBy | null;
  /** Those that are known and do not hold the task. */
  readonly passing: (task: StartableTask) => readonly string[];
  /** Those of now. */
  readonly inForce: () => readonly HeldBy[];
  /** The listener is called whenever something may start that was held. */
  readonly onEased: (listener: () => void) => void;
};

/** Where nothing ever holds a task. */
export const NOTHING_HELD: TaskHolds = {
  look: async () => undefined,
  holdOn: () => null,
  passing: () => [],
  inForce: () => [],
  onEased: () => undefined,
};

const PREFIX = "freeze/";

/** The thread of what holds tasks: who froze, who thawed, when and for what reason. */
export const freezeThread = (freeze_id: string): string => `${PREFIX}${freeze_id}`;

/** An event on such a thread may be news of every task. */
export const isOfHold = (thread_id: string): boolean => thread_id.startsWith(PREFIX);
