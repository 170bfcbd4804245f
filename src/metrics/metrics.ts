// What Prometheus reads of this server, by prom-client. Counters begin with the process and grow as tasks are folded, so nothing
// is counted in a task's own commits; gauges are read when they are asked for (D-291). No label holds the id of a task.
import { Registry } from "prom-client";
import { FALLBACK_CODES, fallbackCode } from "../domain/gate.ts";
import { COHORTS } from "../domain/scorecard/cohort.ts";
import type { TaskScore } from "../domain/scorecard/task-score.ts";
import { PROMISE_RULES } from "../evidence/verify/promises.ts";
import type { Clock, Commit, Store } from "../ports.ts";
import { type GaugeStore, readGauges } from "./gauges.ts";
import { instrumentsIn } from "./instruments.ts";

export type Metrics = {
  /** A task was folded; `before` is what was known of it. */
  readonly folded: (score: TaskScore, before: TaskScore | null) => void;
  readonly committed: (commit: Pick<Commit, "events">) => void;
  /** The same store, with the time of each commit. */
  readonly timed: (store: Store) => Store;
  /** In the text format of Prometheus. */
  readonly text: () => Promise<string>;
  readonly content_type: string;
};

type Deps = {
  readonly store: GaugeStore;
  readonly clock: Clock;
  /** How many events are not folded yet. */
  readonly behind: () => Promise<number>;
};

export function createMetrics({ store, clock, behind }: Deps): Metrics {
  const registry = new Registry();
  const { tasks, verified, broken, questions, answers, fallbacks, active, steps, commits, gauges } =
    instrumentsIn(registry);
  // A series that begins at 1 shows no increase: a panel of broken promises would say "No data" until the second.
  for (const group of COHORTS) for (const known of ["true", "false"]) verified.inc({ group, verified: known }, 0);
  for (const rule of PROMISE_RULES) broken.inc({ rule }, 0);
  for (const kind of ["input", "approval"]) questions.inc({ kind }, 0);
  for (const question of ["error", "approval"])
    for (const source of ["fallback", "model"]) answers.inc({ question, source }, 0);
  for (const question of ["error", "approval"])
    for (const reason of FALLBACK_CODES) fallbacks.inc({ question, reason }, 0);
  const readAll = readGauges({ store, clock, behind });

  return {
    folded: (score, before) => {
      const { cohort: group, status, reason_code } = score;
      if (status === "ok" && score.external !== null && score.external !== (before?.external ?? null))
        verified.inc({ group, verified: String(score.external) });
      if (before !== null) return;
      tasks.inc({ group, status, reason_code });
      for (const rule of score.broken_why?.split(", ") ?? []) broken.inc({ rule });
      questions.inc({ kind: "input" }, score.questions);
      questions.inc({ kind: "approval" }, score.approvals);
      const [errors, approvals] = [score.gate_error_fallbacks, score.gate_approval_fallbacks];
      answers.inc({ question: "error", source: "fallback" }, errors);
      answers.inc({ question: "error", source: "model" }, score.gate_errors - errors);
      answers.inc({ question: "approval", source: "fallback" }, approvals);
      answers.inc({ question: "approval", source: "model" }, score.gate_approvals - approvals);
      active.observe(score.active_ms / 1000);
    },
    committed: ({ events }) => {
      for (const { kind, body } of events) {
        if (kind === "step_finished") steps.observe(body.duration_ms / 1000);
        if (kind === "gate_answered" && body.fallback !== null)
          fallbacks.inc({ question: body.question, reason: fallbackCode(body.fallback) });
      }
    },
    timed: (timed) => ({
      ...timed,
      commit: async (commit) => {
        const begun = performance.now();
        try {
          return await timed.commit(commit);
        } finally {
          commits.observe((performance.now() - begun) / 1000);
        }
      },
    }),
    text: async () => {
      const { bounds, ...numbers } = await readAll();
      for (const [name, value] of Object.entries(numbers)) gauges[name as keyof typeof numbers].set(value);
      gauges.bounds.reset();
      for (const { lower, ...labels } of bounds) gauges.bounds.set(labels, lower);
      return registry.metrics();
    },
    content_type: registry.contentType,
  };
}
