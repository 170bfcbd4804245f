// The operations that read tasks: get_task and list_tasks; read_journal, the events of a task and on request the next one,
// which `orch task --follow` uses; get_graph; and get_diagnosis, the checks of orch doctor as this server makes them of itself (D-358).
import { hasEnded } from "../../domain/outcome.ts";
import { END, PIPELINE_EDGES, PIPELINE_NODES, type PipelineNode } from "../../domain/pipeline.ts";
import type { Task } from "../../domain/task.ts";
import { type Projection, projection } from "../../engine/tasks/projection.ts";
import type { OperationDeps } from "./deps.ts";
import { AHEAD, invalidInput, leftOut, lookUntil, type OperationHandler } from "./operation.ts";
import type { getDiagnosis } from "./shapes/diagnosis.ts";
import type { getGraph } from "./shapes/graph.ts";
import type { readJournal } from "./shapes/journal.ts";
import type { getTask, listTasks } from "./shapes/tasks.ts";
import { heldByOf, summaryOf, taskOf, viewAfterWait, waitsForLabels, waitsForLevel } from "./task-view.ts";

export const handleGetTask: OperationHandler<typeof getTask> =
  (deps) =>
  ({ task_id, wait_seconds }, { signal }) =>
    viewAfterWait(deps, task_id, { wait_seconds, signal });

export const handleListTasks: OperationHandler<typeof listTasks> =
  (deps) =>
  async ({ since, ...query }) => {
    // Times are stored in UTC, and compared as text.
    const from = since === undefined ? undefined : new Date(since).toISOString();
    const tasks = await deps.store.listTasks({ ...query, since: from });
    const more = tasks.length === query.limit;
    const [queuedFor, levelFor] = [waitsForLabels(deps), waitsForLevel(deps)];
    return {
      tasks: await Promise.all(tasks.map((task) => summarised(deps, task, { queuedFor, levelFor }))),
      next_after: more ? (tasks.at(-1)?.task_id ?? null) : null,
      quarantined: leftOut(deps, "task"),
    };
  };

/** What a task waits for is asked for many tasks with the same look at the servers. */
export async function summarised(
  deps: OperationDeps,
  task: Task,
  { queuedFor, levelFor } = { queuedFor: waitsForLabels(deps), levelFor: waitsForLevel(deps) },
) {
  const held_by_freeze = await heldByOf(deps, task);
  return summaryOf(deps, task, {
    queued_for: await queuedFor(task),
    held_by_freeze,
    needs_level: await levelFor(task),
  });
}

export const handleReadJournal: OperationHandler<typeof readJournal> =
  (deps) =>
  async ({ task_id, after, limit, wait_seconds }, { signal }) => {
    // The task is read first: if it has ended, the events read after it are complete.
    const look = async () => {
      const { status } = await taskOf(deps, task_id);
      return { status, events: await deps.store.readJournal(task_id, { after, limit }) };
    };
    const isAhead = after > 0 && (await deps.store.readJournal(task_id, { after: after - 1, limit: 1 })).length === 0;
    if (isAhead) await taskOf(deps, task_id);
    if (isAhead) throw invalidInput({ name: "read_journal" }, [{ path: "after", message: AHEAD }]);
    const next = (ms: number, until: AbortSignal) => deps.nextEvent(task_id, ms, until);
    const isEnough = ({ status, events }: Awaited<ReturnType<typeof look>>) => events.length > 0 || hasEnded(status);
    const { status, events } = await lookUntil({ next, look, isEnough }, { wait_seconds, signal });
    return { events, next_after: events.at(-1)?.seq ?? after, status };
  };

const PICTURE = {
  nodes: [...PIPELINE_NODES],
  edges: PIPELINE_EDGES.map((edge) => ({ ...edge, target: edge.target === END ? null : edge.target })),
};

export const handleGetGraph: OperationHandler<typeof getGraph> =
  (deps) =>
  async ({ task_id }) => {
    if (task_id === undefined) return { ...PICTURE, place: null };
    const task = await taskOf(deps, task_id);
    const events = await deps.store.readJournal(task_id);
    const last = events.at(-1);
    const node = nodeOf(task, pathOf(deps, task, projection(events)));
    if (node === null || last === undefined) return { ...PICTURE, place: { task_id, current: null, way: [] } };
    const visit = { node, answer: null, seq: last.seq, at: last.at, again: false };
    return { ...PICTURE, place: { task_id, current: hasEnded(task.status) ? null : node, way: [visit] } };
  };

/** Where a task works, waits for an approval, and waits for the outcome of a step; by who handles it. */
const NODES = {
  procedure: { works: "run_steps", asks: "await_approval", outcome_unknown: "await_resolution" },
  replacement: { works: "replace_sop", asks: "await_replacement", outcome_unknown: "replace_sop" },
  skill: { works: "run_skill", asks: "await_skill_approval", outcome_unknown: "await_skill_resolution" },
  agent: { works: "run_agent", asks: "await_agent_approval", outcome_unknown: "await_agent_resolution" },
  // Its loop has nodes of its own that wait.
  react: { works: "run_agent", asks: "run_agent", outcome_unknown: "run_agent" },
} as const;

function nodeOf({ status, outcome }: Task, path: keyof typeof NODES): PipelineNode | null {
  if (hasEnded(status)) return status;
  if (status === "accepted") return null;
  if (status === "need_approval") return NODES[path].asks;
  if (outcome?.reason_code === "sop_unknown") return "await_teaching";
  return outcome?.reason_code === "step_outcome_unknown" ? NODES[path].outcome_unknown : NODES[path].works;
}

function pathOf(
  { skillOf }: Pick<OperationDeps, "skillOf">,
  { intent, delegation_mode }: Task,
  { skill, agent }: Projection,
): keyof typeof NODES {
  if (intent === "update_sop") return "replacement";
  if (delegation_mode === "agent") return agent.equipped?.agent_backend === "react" ? "react" : "agent";
  return skillOf(intent) !== null || skill.steps.length > 0 ? "skill" : "procedure";
}

export const handleGetDiagnosis: OperationHandler<typeof getDiagnosis> =
  ({ diagnose }) =>
  () =>
    diagnose();
