// What a step writes while it runs, for those who watch it. It is never recorded and never evidence: the result of the step
// replaces it (D-196).
import { z } from "zod";

/** One run of one step of a task. */
/** A run of a step within its task. */
export type StepAttempt = { readonly index: number; readonly attempt: number };
export type StepRun = StepAttempt & { readonly task_id: string };

export const LivePiece = z.strictObject({
  index: z.int().describe("of the running step"),
  attempt: z.int(),
  stream: z.enum(["stdout", "stderr"]),
  missed_bytes: z.int().describe("how many bytes of the output are left out before the text"),
  text: z.string().describe("continues the earlier text of the stream; without secrets"),
});
export type LivePiece = z.infer<typeof LivePiece>;

/** What steps write while they run, for their readers. */
export interface LiveOutput {
  /** `onMore` is called when there is more to read. A reader that is late gets the last part, and how much it missed. */
  watch(task_id: string, onMore: () => void): { read(): LivePiece[]; close(): void };
}

/** Where a server gives to the others what the steps of a task write there (D-396). */
export const OUTPUT_PATH = "/internal/tasks/{task_id}/output";

/** How a server reads that of another one. */
export type OutputRoute = {
  readonly server_id: string;
  readonly name: string;
  readonly url: string;
  readonly secret: string;
};

/** Null where the task is not run by another server that lives and says where it is reached. */
export type FindOutputRoute = (task_id: string) => Promise<OutputRoute | null>;
