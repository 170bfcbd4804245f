// The picture of the pipeline in the README, drawn from the compiled graph. `npm run picture` writes it; a test compares.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildSopGraph } from "../../graphs/sop.ts";

export const README = join(import.meta.dirname, "../../README.md");

const BETWEEN = /(?<=<!-- pipeline -->\n).*?(?=<!-- \/pipeline -->)/s;
// Mermaid ends a block at the word `end`, so the two ends of the graph bear no name.
const ENDS = new Map([
  ["__start__", '__start__((" "))'],
  ["__end__", '__end__(((" ")))'],
]);

/** Nodes and edges in the order in which graphs/sop.ts tells them. Nothing is called, so the nodes need no parts. */
export async function pipelineEdges() {
  const graph = await buildSopGraph({} as never).getGraphAsync();
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

export async function drawPipeline(): Promise<string> {
  const edges = await pipelineEdges();
  const waits = [...new Set(edges.map(({ source }) => source))].filter((name) => name.startsWith("await_"));
  return [
    "```mermaid",
    "flowchart TD",
    ...[...ENDS.values()].map((end) => `  ${end}`),
    ...waits.map((name) => `  ${name}{{${name}}}`),
    ...edges.map(({ source, target, answer }) => `  ${source} ${answer === null ? "-->" : `-->|${answer}|`} ${target}`),
    "```",
    "",
  ].join("\n");
}

/** What stands between the markers. Null when there are none. */
export const pictureIn = (readme: string): string | null => BETWEEN.exec(readme)?.[0] ?? null;

export const withPicture = (readme: string, picture: string): string => readme.replace(BETWEEN, () => picture);

if (import.meta.main) {
  const readme = await readFile(README, "utf8");
  if (pictureIn(readme) === null) throw new Error("README.md has no <!-- pipeline --> ... <!-- /pipeline -->");
  await writeFile(README, withPicture(readme, await drawPipeline()));
}
