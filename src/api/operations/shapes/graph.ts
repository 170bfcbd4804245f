// The pipeline as a graph, and where a task is in it.
import { z } from "zod";
import { TaskId } from "../../../domain/contract.ts";
import { PIPELINE_NODES } from "../../../domain/pipeline.ts";
import { EXAMPLE } from "../example.ts";
import { type NamedSchemas, READ, shape } from "../operation.ts";

const Node = z.enum(PIPELINE_NODES);
const Answer = z.string().nullable();

const Visit = z.strictObject({
  node: Node,
  answer: Answer.describe("the fact that chose the next node; null where there is no choice, or the run broke off"),
  seq: z.int().describe("the event of the journal that shows it"),
  at: z.string(),
  again: z.boolean().describe("the pipeline began again here, from the journal, after a stop"),
});

const GraphPlace = z.strictObject({
  task_id: z.string(),
  current: Node.nullable().describe("null before the task has begun, and after its end"),
  way: z.array(Visit).describe("the nodes that it was in, in their order, as its journal shows them"),
});

export const getGraph = shape({
  name: "get_graph",
  summary: "The pipeline as nodes and edges, and where a task is in it.",
  method: "GET",
  path: "/v1/graph",
  scope: "read",
  hints: READ,
  no_tool: true,
  input: z.strictObject({ task_id: TaskId.optional().describe("Also its place.") }),
  output: z.strictObject({
    nodes: z.array(Node),
    edges: z.array(
      z.strictObject({
        source: Node,
        target: Node.nullable().describe("null: the run of the graph ends"),
        answer: Answer.describe("the fact that chooses the edge; null where it is the only one"),
      }),
    ),
    place: GraphPlace.nullable(),
  }),
  example: { task_id: EXAMPLE.task_id },
});

/** Records that the OpenAPI document names. */
export const GRAPH_SCHEMAS = {
  GraphPlace: [GraphPlace, "Where a task is in the pipeline, and the nodes that it was in."],
} satisfies NamedSchemas;
