// The pictures of the graphs in the README, drawn from the compiled graphs. `npm run picture` writes them; a test compares.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildReactGraph } from "../../graphs/react.ts";
import { buildSopGraph } from "../../graphs/sop.ts";

export const README = join(import.meta.dirname, "../../README.md");

// Nothing is called, so the nodes need no parts.
const GRAPHS = {
  pipeline: () => buildSopGraph({ reactGraph: buildReactGraph({} as never) } as never).getGraphAsync(),
  react: () => buildReactGraph({} as never).getGraphAsync(),
};

/** As its markers in the README call it. */
export type PictureName = keyof typeof GRAPHS;

// Mermaid ends a block at the word `end`, so the two ends of the graph bear no name.
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

export async function draw(name: PictureName): Promise<string> {
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

const between = (name: PictureName): RegExp => new RegExp(`(?<=<!-- ${name} -->\n).*?(?=<!-- /${name} -->)`, "s");

/** The text between its markers. Null when there are none. */
export const pictureIn = (readme: string, name: PictureName): string | null => between(name).exec(readme)?.[0] ?? null;

async function drawAnew(readme: string, name: PictureName): Promise<string> {
  if (pictureIn(readme, name) === null) throw new Error(`README.md has no <!-- ${name} --> ... <!-- /${name} -->`);
  const picture = await draw(name);
  return readme.replace(between(name), () => picture);
}

if (import.meta.main) {
  const pipeline = await drawAnew(await readFile(README, "utf8"), "pipeline");
  await writeFile(README, await drawAnew(pipeline, "react"));
}
