// Lays out the picture of the pipeline, by ELK, in Node. An edge that ends a run of the graph is not drawn: the task waits there.
import elk, { type ElkExtendedEdge, type ElkNode } from "elkjs/lib/elk.bundled.js";
import { END, PIPELINE_EDGES, PIPELINE_NODES } from "../../domain/pipeline.ts";
import type { DrawnPoint, GraphPicture, GraphPictures } from "./picture.ts";

// The widths of letters at the sizes in which nodes and answers are drawn.
const [NODE_LETTER, ANSWER_LETTER] = [7.2, 6.2];
const [NODE_HEIGHT, ANSWER_HEIGHT] = [30, 14];

const LAYOUT = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.spacing.nodeNodeBetweenLayers": "26",
  "elk.layered.spacing.edgeNodeBetweenLayers": "14",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "9",
  "elk.spacing.nodeNode": "22",
  "elk.spacing.edgeEdge": "9",
  "elk.spacing.edgeNode": "14",
  "elk.spacing.edgeLabel": "3",
  "elk.edgeLabels.inline": "false",
  "elk.padding": "[top=8,left=8,bottom=8,right=8]",
};

/** A task takes one of these ways only, so each is a picture: the answer of the first node that leads to it. */
const WAYS = { procedure: "sop", replacement: "update_sop", skill: "skill", agent: "agent" } as const;

/** The edges of a way: from the first node by its answer, and on to the ends. */
function edgesOf(first: string) {
  const drawn = PIPELINE_EDGES.filter(({ target }) => target !== END);
  const begin = drawn.filter(
    ({ source, answer }) => source === "admit" && (answer === first || answer === "unavailable"),
  );
  const reached = new Set(begin.map(({ target }) => target));
  for (const node of reached) for (const { source, target } of drawn) if (source === node) reached.add(target);
  return [...begin, ...drawn.filter(({ source }) => source !== "admit" && reached.has(source))];
}

const rounded = (value = 0): number => Math.round(value * 2) / 2;

export async function layOut(): Promise<GraphPictures> {
  const wayOf = (name: keyof typeof WAYS) => layOutWay(edgesOf(WAYS[name]));
  return {
    procedure: await wayOf("procedure"),
    replacement: await wayOf("replacement"),
    skill: await wayOf("skill"),
    agent: await wayOf("agent"),
  };
}

async function layOutWay(drawn: ReturnType<typeof edgesOf>): Promise<GraphPicture> {
  const named = new Set(drawn.flatMap(({ source, target }): string[] => [source, target]));
  const way: ElkNode = {
    id: "way",
    layoutOptions: LAYOUT,
    children: PIPELINE_NODES.filter((node) => named.has(node)).map((id) => ({
      id,
      width: Math.ceil(id.length * NODE_LETTER) + 22,
      height: NODE_HEIGHT,
    })),
    edges: drawn.map(({ source, target, answer }, at) => ({
      id: String(at),
      sources: [source],
      targets: [target],
      labels:
        answer === null ? [] : [{ text: answer, width: answer.length * ANSWER_LETTER + 4, height: ANSWER_HEIGHT }],
    })),
  };
  const laid = await new elk.default().layout(way);
  const routes = new Map((laid.edges ?? []).map((edge) => [edge.id, edge]));
  return {
    width: rounded(laid.width),
    height: rounded(laid.height),
    nodes: (laid.children ?? []).map(({ id, x, y, width, height }) => ({
      id,
      x: rounded(x),
      y: rounded(y),
      width: rounded(width),
      height: rounded(height),
    })),
    edges: drawn.map((edge, at) => ({ ...edge, ...routeOf(routes.get(String(at))) })),
  };
}

function routeOf(edge: ElkExtendedEdge | undefined): { points: DrawnPoint[]; label: DrawnPoint | null } {
  const [label] = edge?.labels ?? [];
  const points = (edge?.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) =>
    [startPoint, ...bendPoints, endPoint].map(({ x, y }): DrawnPoint => [rounded(x), rounded(y)]),
  );
  if (label === undefined) return { points, label: null };
  const { x = 0, y = 0, width = 0, height = 0 } = label;
  return { points, label: [rounded(x + width / 2), rounded(y + height / 2)] };
}
