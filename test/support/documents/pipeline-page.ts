// docs/pipeline.md: pictures of the graphs, drawn from the compiled graphs.
import { buildPromotionGraph } from "../../../graphs/promotion.ts";
import { buildReactGraph } from "../../../graphs/react.ts";
import { buildSopGraph } from "../../../graphs/sop.ts";

// Nothing is called, so the nodes need no parts.
const GRAPHS = {
  pipeline: () => buildSopGraph({ reactGraph: buildReactGraph({} as never) } as never).getGraphAsync(),
  react: () => buildReactGraph({} as never).getGraphAsync(),
  promotion: () => buildPromotionGraph({} as never).getGraphAsync(),
};

export type PictureName = keyof typeof GRAPHS;

// Mermaid ends a block at the word `end`, so the two ends of the graph have no name.
const ENDS = new Map([
  ["__start__", '__start__((" "))'],
  ["__end__", '__end__(((" ")))'],
]);

/** Nodes and edges in the order in which the file of the graph has them. */
export async function edgesOf(name: PictureName) {
  const graph = await GRAPHS[name]();
  const order = Object.keys(graph.nodes);
  return order.flatMap((name) =>
    graph.edges
      .filter(({ source }) => source === name)
      .map(({ source, target, data, conditional = false }) => ({
        source,
        target,
        // LangGraph leaves out a label that is the name of the node it leads to.
        answer: conditional ? (data ?? target) : null,
      })),
  );
}

async function draw(name: PictureName): Promise<string> {
  const edges = await edgesOf(name);
  const waits = [...new Set(edges.map(({ source }) => source))].filter((node) => node.startsWith("await_"));
  return [
    "```mermaid",
    "flowchart TD",
    ...[...ENDS.values()].map((end) => `  ${end}`),
    ...waits.map((node) => `  ${node}{{${node}}}`),
    ...edges.map(({ source, target, answer }) => `  ${source} ${answer === null ? "-->" : `-->|${answer}|`} ${target}`),
    "```",
    "",
  ].join("\n");
}

/** Each graph, with what its picture shows. */
const SECTIONS: readonly (readonly [title: string, file: string, name: PictureName, text: string])[] = [
  ["A task", "graphs/sop.ts", "pipeline", "From a contract to its end."],
  [
    "The loop of an agent",
    "graphs/react.ts",
    "react",
    "What happens within `run_agent` of the first picture, where a contract has `delegation_mode: agent`.",
  ],
  [
    "The promotion of a procedure",
    "graphs/promotion.ts",
    "promotion",
    "On a thread of its own, so that no task waits for it. An approval that is no longer of what would be replaced leads back to `prove`.",
  ],
];

const INTRODUCTION = `# The pipeline

<!-- Written by \`npm run docs\` from graphs. -->

Every task goes its way through one graph. Nodes do the work and report facts; the edges are the rules, and no model chooses one.
Hexagons wait for an answer. [Concepts](concepts.md) says what the words mean.

Try one: \`orch graph web-7\` shows where a task is in the first picture, and \`orch graph\` the picture itself.`;

export async function pipelinePage(): Promise<string> {
  const sections = await Promise.all(
    SECTIONS.map(
      async ([title, file, name, text]) =>
        `## ${title}\n\n${text} Drawn from \`${file}\` itself.\n\n${await draw(name)}`,
    ),
  );
  return [INTRODUCTION, ...sections].join("\n\n");
}
