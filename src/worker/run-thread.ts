// One stretch of a thread: from where it stands, through the graph, to its end or its next question.
import { Command, INTERRUPT, isInterrupted } from "@langchain/langgraph";
import type { JournalEvent } from "../domain/journal.ts";
import type { Thread } from "../tasks/thread.ts";
import { pause } from "./pause.ts";

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
 * How a thread comes to be taken up: new with its first events, answered on one interrupt, or found again after a stop.
 * What is found again starts at the first node: the journal makes that safe, and no half-written checkpoint can matter.
 */
export type Taking =
  | { readonly as: "new"; readonly events: readonly JournalEvent[] }
  | { readonly as: "answered"; readonly interrupt_id: string }
  | { readonly as: "found" };

type Stretch = {
  readonly graph: Graph;
  readonly checkpoints: Checkpoints;
  readonly thread: Thread;
  readonly thread_id: string;
  readonly task_id: string | null;
  readonly input: object;
  readonly taking: Taking;
};

// Far above any procedure: two supersteps per retried step, at most 1,000 steps.
const RECURSION_LIMIT = 10_000;

export async function runThread(stretch: Stretch): Promise<"paused" | "finished"> {
  const { graph, checkpoints, thread, thread_id, task_id, taking } = stretch;
  if (taking.as === "found") await checkpoints.deleteThread(thread_id);
  else if (taking.as === "answered") await checkpoints.prune(thread_id);
  const input =
    taking.as === "answered" ? new Command({ resume: { [taking.interrupt_id]: "answered" } }) : stretch.input;
  const config = { configurable: { thread_id }, durability: "exit", recursionLimit: RECURSION_LIMIT } as const;
  const result = await graph.invoke(input, config);
  if (!isInterrupted(result)) {
    if (taking.as !== "new") await checkpoints.deleteThread(thread_id);
    return "finished";
  }
  const [question] = result[INTERRUPT];
  if (question === undefined) throw new Error(`thread ${thread_id} paused without a question`);
  await pause(thread, task_id, question);
  return "paused";
}
