// What Prometheus reads of this server, by prom-client. Counters begin with the process and grow as tasks are folded, so nothing
// is counted in a task's own commits; gauges are read when they are asked for (D-291). No label holds the id of a task.
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { FALLBACK_CODES, fallbackCode } from "../domain/gate.ts";
import type { EventBody, NewEvent } from "../domain/journal.ts";
import { weeksUntil, wilson } from "../domain/scorecard/arithmetic.ts";
import { sum } from "../domain/scorecard/counts.ts";
import type { KeyedTally } from "../domain/scorecard/kept-scores.ts";
import { COHORTS, type TaskScore } from "../domain/scorecard/task-score.ts";
import { PROMISE_RULES } from "../engine/evidence/verify/rule.ts";
import type { Clock, Commit, Store } from "../ports.ts";

export type Metrics = {
  /** A task was folded; `before` is what was known of it. */
  readonly folded: (score: TaskScore, before: TaskScore | null) => void;
  readonly committed: (commit: Pick<Commit, "events">) => void;
  /** The same store, with the time of each commit. */
  readonly timed: (store: Store) => Store;
  readonly text: () => Promise<string>;
  readonly content_type: string;
};

type Deps = {
  readonly store: GaugeStore;
  readonly clock: Clock;
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

// The names and help texts of the metrics. What a server has done is counted by it alone, so servers of one database are added up; a gauge is
// read from the database and is the same on all of them (D-334).

const TASK_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];
const STEP_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600];
const COMMIT_SECONDS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

export function instrumentsIn(registry: Registry) {
  const registers = [registry];
  const added = "counted by one server each: add the servers up.";
  const same = "the same on every server.";
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  return {
    tasks: counter("orch_tasks_total", `Tasks that ended, ${added}`, ["group", "status", "reason_code"]),
    verified: counter("orch_done_verified_total", `External verifications of DONE, ${added}`, ["group", "verified"]),
    broken: counter("orch_broken_promises_total", `Promises that a journal shows to be broken, ${added}`, ["rule"]),
    questions: counter("orch_questions_total", `Questions of tasks that ended, ${added}`, ["kind"]),
    answers: counter("orch_gate_answers_total", `Answers to the routing questions, ${added}`, ["question", "source"]),
    fallbacks: counter("orch_gate_fallbacks_total", `Routing questions without a usable answer, ${added}`, [
      "question",
      "reason",
    ]),
    active: histogram("orch_task_active_seconds", `Time of a task without queue and waits, ${added}`, TASK_SECONDS),
    steps: histogram("orch_step_seconds", "Time of a step that this server has run.", STEP_SECONDS),
    commits: histogram("orch_commit_seconds", "Time of a commit of this server to the database.", COMMIT_SECONDS),
    gauges: {
      queue: gauge("orch_queue_depth", `Tasks of the database that wait for their target or a free place; ${same}`),
      pending: gauge("orch_approvals_pending", `Approvals of the database that wait for a decision; ${same}`),
      oldest: gauge("orch_approval_oldest_seconds", `How long the oldest of them has waited, 0 without one; ${same}`),
      behind: gauge("orch_score_behind", `Events of the database that are not counted yet; ${same}`),
      bounds: new Gauge({
        name: "orch_sop_verified_lower_bound",
        help: `At least this ratio of DONE is true, at 95 %; the versions with the lowest only; ${same}`,
        labelNames: ["intent", "target", "version"],
        registers,
      }),
    },
  };
}

// What is read from the database when the metrics are asked for. The bounds of procedures cost a look at all scores, and are read
// again after minutes only.

type GaugeStore = Pick<Store, "listTaskColumns" | "listApprovals" | "readTallies">;

type SopBound = {
  readonly intent: string;
  readonly target: string;
  readonly version: string;
  readonly lower: number;
};

const MOST_QUEUED = 10_000;
const MOST_PENDING = 500;
/** Series are dear: those with the lowest bound are those to look at. */
const MOST_SOPS = 200;
const MAX_LABEL = 200;
const BOUNDS_MS = 300_000;
const WEEKS = 13;

function readGauges({ store, clock, behind }: Deps) {
  let bounds: { readonly at: number; readonly found: Promise<SopBound[]> } | null = null;
  const boundsNow = (): Promise<SopBound[]> => {
    const at = clock().getTime();
    if (bounds !== null && at - bounds.at < BOUNDS_MS) return bounds.found;
    const found = store.readTallies({ from: weeksUntil(clock(), WEEKS)[0] ?? "" }).then(boundsIn);
    bounds = { at, found };
    // The next look asks again.
    found.catch(() => {
      bounds = null;
    });
    return found;
  };
  return async () => {
    const [queued, pending, left, found] = await Promise.all([
      store.listTaskColumns({ status: ["accepted"], limit: MOST_QUEUED }),
      store.listApprovals({ status: "pending", limit: MOST_PENDING }),
      behind(),
      boundsNow(),
    ]);
    const [oldest] = pending;
    const waited = oldest === undefined ? 0 : clock().getTime() - Date.parse(oldest.created_at);
    return { queue: queued.length, pending: pending.length, oldest: waited / 1000, behind: left, bounds: found };
  };
}

function boundsIn(tallies: readonly KeyedTally[]): SopBound[] {
  const of_versions = tallies.filter(({ sop_id }) => sop_id !== null);
  return [...Map.groupBy(of_versions, ({ sop_id }) => sop_id).values()]
    .flatMap((of_one) => {
      const [one] = of_one;
      const { done, verified, refuted } = sum(of_one);
      if (one === undefined || done === 0) return [];
      const { lower } = wilson(verified, verified + refuted);
      const target = one.target_signature.slice(0, MAX_LABEL).toWellFormed();
      return [{ intent: one.intent, target, version: String(one.sop_version), lower }];
    })
    .sort((a, b) => a.lower - b.lower)
    .slice(0, MOST_SOPS);
}

// Judges from the last answers of the routing model whether it answers usably.

export type RecentAnswers = {
  readonly note: (events: readonly NewEvent[]) => void;
  /** A sentence where most of the last questions had no answer; null otherwise. */
  readonly notice: () => string | null;
};

const MOST = 20;
/** Fewer say little. */
const LEAST = 3;
/** No question reached the model, or its task was cancelled. */
const NOT_ASKED = new Set(["no_model", "aborted"]);

export function createRecentAnswers(): RecentAnswers {
  const last: EventBody<"gate_answered">[] = [];
  return {
    note: (events) => {
      for (const { kind, body } of events) {
        if (kind !== "gate_answered" || NOT_ASKED.has(body.fallback ?? "")) continue;
        last.push(body);
        if (last.length > MOST) last.shift();
      }
    },
    notice: () => {
      const reasons = last.flatMap(({ fallback }) => fallback ?? []);
      const answered = last.length - reasons.length;
      if (last.length < LEAST || answered * 2 >= last.length) return null;
      const counts = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, { length }]) => `${reason} ${length}`);
      return `${answered} of the last ${last.length} questions to the routing model were answered (${counts.join(", ")}). The others took their fallback.`;
    },
  };
}
