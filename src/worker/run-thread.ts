// Runs a thread through its graph, to its end or its next question.
import { Command, INTERRUPT, isInterrupted } from "@langchain/langgraph";
import type { JournalEvent } from "../domain/journal.ts";
import type { Thread } from "../tasks/thread.ts";
import { pauseThread } from "./pause-thread.ts";

/** What is asked of a compiled graph. */
export type Graph = {
  invoke(
    input: object,
    config: { configurable: { thread_id: string }; durability: "exit"; recursionLimit: number },
  ): Promise<unknown>;
};

/** What is asked of the checkpoint saver beyond saving. */
export type Checkpoints = {
  deleteThread(thread_id: string): Promise<void>;
  prune(thread_id: string): Promise<void>;
  /** Deletes the checkpoints of every thread that has ended. */
  sweep(): Promise<void>;
};

/**
 * How a thread starts: new with its first events, resumed at the interrupt that was answered, or recovered after a stop. A
 * recovered thread starts at the first node: the journal makes that safe, and no half-written checkpoint can matter.
 */
export type Start =
  | { readonly kind: "new"; readonly events: readonly JournalEvent[] }
  | { readonly kind: "resume"; readonly interrupt_id: string }
  | { readonly kind: "recover" };

type ThreadRun = {
  readonly graph: Graph;
  readonly checkpoints: Checkpoints;
  readonly thread: Thread;
  readonly thread_id: string;
  /** Null on a promotion. */
  readonly task_id: string | null;
  readonly input: object;
  readonly start: Start;
};

// Far above any procedure: two supersteps per retried step, at most 1,000 steps.
const RECURSION_LIMIT = 10_000;

export async function runThread(run: ThreadRun): Promise<"paused" | "finished"> {
  const { graph, checkpoints, thread, thread_id, task_id, start } = run;
  if (start.kind === "recover") await checkpoints.deleteThread(thread_id);
  else if (start.kind === "resume") await checkpoints.prune(thread_id);
  const input = start.kind === "resume" ? new Command({ resume: { [start.interrupt_id]: "answered" } }) : run.input;
  const config = { configurable: { thread_id }, durability: "exit", recursionLimit: RECURSION_LIMIT } as const;
  const result = await graph.invoke(input, config);
  if (!isInterrupted(result)) {
    if (start.kind !== "new") await checkpoints.deleteThread(thread_id);
    return "finished";
  }
  const [question] = result[INTERRUPT];
  if (question === undefined) throw new Error(`thread ${thread_id} paused without a question`);
  await pauseThread(thread, task_id, question);
  return "paused";
}
