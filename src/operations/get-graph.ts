// Answers get_graph: the pipeline, and the place of a task in it, which follows from its status and the reason why it waits (D-346).
import { hasEnded } from "../domain/outcome.ts";
import { END, PIPELINE_EDGES, PIPELINE_NODES, type PipelineNode } from "../domain/pipeline.ts";
import type { Task } from "../domain/task.ts";
import { type Projection, projection } from "../tasks/projection.ts";
import type { OperationDeps } from "./deps.ts";
import type { OperationHandler } from "./operation.ts";
import type { getGraph } from "./shapes/graph.ts";
import { taskOf } from "./task-view.ts";

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
