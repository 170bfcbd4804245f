// orch graph: the way of a task through the pipeline; without a task, the pipeline itself.
import { z } from "zod";
import { getGraph } from "../../operations/shapes/graph.ts";
import { command, fail } from "../context.ts";
import { EXIT } from "../exit-codes.ts";

const Given = z.object({ id: z.string().optional() });

export const graph = command(Given, async ({ call, out }, { id }) => {
  const result = await call(getGraph, { task_id: id });
  if (!result.ok) return fail({ out }, result.failure);
  const { place, edges } = result.value;
  out.answer(result.value, () => {
    if (place === null) return edges.map(({ source, target, answer }) => line(source, answer, target ?? "(end)"));
    const { way, current } = place;
    const passed = way.map(({ node, answer, again }) => `${again ? "again: " : ""}${line(node, answer, null)}`);
    return [...passed, current === null ? (way.length === 0 ? "not begun" : "over") : `now in ${current}`];
  });
  return EXIT.done;
});

const line = (node: string, answer: string | null, target: string | null): string =>
  [node, ...(answer === null ? [] : [answer]), ...(target === null ? [] : [target])].join("  ");
