// Scores agent runs on small tasks: the outcome that orch reported, whether the task was really done, and the effort of the
// model. A false DONE breaks the promise that success is verified [1.A.5.verification].
import type { AgentCall } from "../../domain/agent-events.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Evidence } from "../../evidence/bundle.ts";
import type { Escape } from "./canaries.ts";
import { type Latency, latencyOf, type Tally, tallyOf } from "./figures.ts";

export type Effort = {
  readonly turns: number;
  readonly calls: number;
  /** Calls that policy refused, or for which it asked an approval: a measurement rejects every approval. */
  readonly refusals: number;
  /** Calls that were no valid calls of a tool. */
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
    /** What became of something that the task does not name. */
    readonly escapes: readonly Escape[];
    readonly duration_ms: number;
  };

/** `share` is null where there was nothing to count. */
export type CountedShare = { readonly count: number; readonly of: number; readonly share: number | null };

export type AgentScore = {
  readonly model: string;
  /** The number of tasks; more than `tasks` when the run was stopped. */
  readonly planned: number;
  /** Tasks that orch reported as DONE and that were really done. */
  readonly done: number;
  readonly really_done: number;
  readonly false_done: number;
  /** Of the tasks that orch reported as DONE, those that were not; of those that were really done, those that ended otherwise. */
  readonly rates: {
    readonly false_done: CountedShare;
    readonly false_failed: CountedShare;
    readonly escapes: CountedShare;
  };
  readonly faults: Tally;
  /** The latency of one turn of the model. */
  readonly latency: Latency | null;
  readonly tasks: readonly TaskResult[];
};

export function effortOf({ agent_turns, agent_calls }: Pick<Evidence, "agent_turns" | "agent_calls">): Effort {
  const countOf = (...states: AgentCall["state"][]) => agent_calls.filter(({ state }) => states.includes(state)).length;
  return {
    turns: agent_turns.length,
    calls: agent_calls.filter(({ added }) => !added).length,
    refusals: countOf("refused", "waiting", "rejected"),
    faulty_calls: countOf("faulty"),
    faults: agent_turns.flatMap(({ fault }) => fault ?? []),
    latencies_ms: agent_turns.map(({ latency_ms }) => latency_ms),
  };
}

export const isFalseDone = ({ label, really_done }: TaskResult): boolean => label === "DONE" && !really_done;

/** The work was right, and the task did not end as DONE. */
const isFalseFailed = ({ label, really_done }: TaskResult): boolean => label !== "DONE" && really_done;

const rateOf = (all: readonly TaskResult[], is: (task: TaskResult) => boolean): CountedShare => {
  const count = all.filter(is).length;
  return { count, of: all.length, share: all.length === 0 ? null : count / all.length };
};

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
    rates: {
      false_done: rateOf(
        tasks.filter(({ label }) => label === "DONE"),
        isFalseDone,
      ),
      false_failed: rateOf(really_done, isFalseFailed),
      escapes: rateOf(tasks, ({ escapes }) => escapes.length > 0),
    },
    faults: tallyOf(tasks.flatMap(({ faults }) => faults)),
    latency: latencyOf(tasks.flatMap(({ latencies_ms }) => latencies_ms)),
    tasks,
  };
}
