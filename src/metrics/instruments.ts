// The names and help texts of the metrics. What a server has done is counted by it alone, so servers of one database are added up; a gauge is
// read from the database and is the same on all of them (D-334).
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

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
