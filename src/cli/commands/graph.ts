// Runs orch graph: shows where a task is in the pipeline; without a task, the pipeline itself.
import { z } from "zod";
import { getGraph } from "../../operations/shapes/graph.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";

const Given = z.object({ id: z.string().optional() });

export const graph = command(Given, async ({ call, out }, { id }) => {
  const result = await call(getGraph, { task_id: id });
  const { place, edges } = result;
  out.answer(result, () => {
    if (place === null) return edges.map(({ source, target, answer }) => line(source, answer, target ?? "(end)"));
    const { way, current } = place;
    if (current !== null) return [`now in ${current}`];
    return way.length === 0 ? ["not begun"] : [...way.map(({ node }) => node), "over"];
  });
  return EXIT.done;
});

const line = (node: string, answer: string | null, target: string): string =>
  [node, ...(answer === null ? [] : [answer]), target].join("  ");
