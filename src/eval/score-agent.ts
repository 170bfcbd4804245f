// Scores agent runs on small tasks: the outcome that orch reported, whether the task was really done, and the effort of the
// model. A false DONE breaks the promise that success is verified [1.A.5.verification].
import type { z } from "zod";
import { EVENT_BODIES, type EventBody, type EventKind, type EventRecord } from "../domain/journal.ts";
import type { Outcome } from "../domain/outcome.ts";
import { type Latency, latencyOf, type Tally, tallyOf } from "./figures.ts";

export type Effort = {
  readonly turns: number;
  readonly calls: number;
  /** Calls that policy refused, or for which it asked an approval: a measurement rejects every approval. */
  readonly refusals: number;
  /** Calls with the verdict `fault`. */
  readonly faulty_calls: number;
  /** The reasons of missing replies, in order. */
  readonly faults: readonly string[];
  readonly latencies_ms: readonly number[];
};

export type TaskResult = Effort &
  Pick<Outcome, "status" | "label" | "reason_code" | "message"> & {
    readonly name: string;
    /** The result of the task's `verify` after its end, independent of the outcome that orch reported. */
    readonly really_done: boolean;
    readonly duration_ms: number;
  };

export type AgentScore = {
  readonly model: string;
  /** The number of tasks; more than `tasks` when the run was stopped. */
  readonly planned: number;
  /** Tasks that orch reported as DONE and that were really done. */
  readonly done: number;
  readonly really_done: number;
  readonly false_done: number;
  readonly faults: Tally;
  /** The latency of one turn of the model. */
  readonly latency: Latency | null;
  readonly tasks: readonly TaskResult[];
};

type Recorded = Pick<z.infer<typeof EventRecord>, "kind" | "body">;

const bodiesOf = <K extends EventKind>(journal: readonly Recorded[], kind: K): EventBody<K>[] =>
  journal.flatMap((event) => (event.kind === kind ? [EVENT_BODIES[kind].parse(event.body) as EventBody<K>] : []));

export function effortOf(journal: readonly Recorded[]): Effort {
  const replies = bodiesOf(journal, "agent_replied");
  const verdicts = bodiesOf(journal, "agent_call_judged").map(({ verdict }) => verdict);
  return {
    turns: replies.length,
    calls: replies.flatMap(({ calls }) => calls.filter(({ added }) => added !== true)).length,
    refusals: verdicts.filter((verdict) => verdict === "refuse" || verdict === "ask").length,
    faulty_calls: verdicts.filter((verdict) => verdict === "fault").length,
    faults: replies.flatMap(({ fault }) => fault ?? []),
    latencies_ms: replies.map(({ latency_ms }) => latency_ms),
  };
}

export const isFalseDone = ({ label, really_done }: TaskResult): boolean => label === "DONE" && !really_done;

export function scoreAgent(
  tasks: readonly TaskResult[],
  of: { readonly model: string; readonly planned: number },
): AgentScore {
  const really_done = tasks.filter((task) => task.really_done);
  return {
    ...of,
    done: really_done.filter(({ label }) => label === "DONE").length,
    really_done: really_done.length,
    false_done: tasks.filter(isFalseDone).length,
    faults: tallyOf(tasks.flatMap(({ faults }) => faults)),
    latency: latencyOf(tasks.flatMap(({ latencies_ms }) => latencies_ms)),
    tasks,
  };
}
