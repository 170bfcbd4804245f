// What agent runs on small tasks come to (spec section 1, agent backends): what orch said of each, whether it was really
// done, and what the model took for it. A DONE that was none breaks the promise that done was verified.
import type { z } from "zod";
import { EVENT_BODIES, type EventBody, type EventKind, type EventRecord } from "../domain/journal.ts";
import type { Outcome } from "../domain/outcome.ts";
import { type Latency, latencyOf, type Tally, tallyOf } from "./figures.ts";

export type Effort = {
  readonly turns: number;
  readonly calls: number;
  /** Calls that policy did not let run, or that it asked about: nobody approves here. */
  readonly refusals: number;
  /** Calls that were none. */
  readonly faulty_calls: number;
  /** Why there was no reply, in their order. */
  readonly faults: readonly string[];
  readonly latencies_ms: readonly number[];
};

export type TaskResult = Effort &
  Pick<Outcome, "status" | "label" | "reason_code" | "message"> & {
    readonly name: string;
    /** What `verify` says afterwards, whatever orch has said. */
    readonly really_done: boolean;
    readonly duration_ms: number;
  };

export type AgentScore = {
  readonly model: string;
  /** How many there were; more than `tasks` when it was stopped. */
  readonly planned: number;
  /** DONE, and really done. */
  readonly done: number;
  readonly really_done: number;
  readonly false_done: number;
  readonly faults: Tally;
  /** Of a turn of the model. */
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
