// get_graph: the pipeline, and the place of a task in it. Only the journal of the task is read.
import { END, PIPELINE_EDGE_LIST, PIPELINE_NODES } from "../domain/place/edges.ts";
import { placeOf } from "../domain/place/place.ts";
import type { OperationHandler } from "./operation.ts";
import type { getGraph } from "./shapes/graph.ts";
import { taskOf } from "./task-view.ts";

const answerOf = (answer: string | null): string | null => (answer === "" ? null : answer);

const EDGES = PIPELINE_EDGE_LIST.map(({ source, target, answer }) => ({
  source,
  target: target === END ? null : target,
  answer: answerOf(answer),
}));

export const handleGetGraph: OperationHandler<typeof getGraph> =
  (deps) =>
  async ({ task_id }) => {
    const picture = { nodes: [...PIPELINE_NODES], edges: EDGES };
    if (task_id === undefined) return { ...picture, place: null };
    await taskOf(deps, task_id);
    const { current, way } = placeOf(await deps.store.readJournal(task_id));
    const visits = way.map((visit) => ({ ...visit, answer: answerOf(visit.answer) }));
    return { ...picture, place: { task_id, current, way: visits } };
  };
