// The compiled graphs: an edge for every answer.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ReactState } from "../../../graphs/react.ts";
import { PipelineState } from "../../../graphs/state.ts";
import { edgesOf, type PictureName } from "../../support/documents/pipeline-page.ts";

/** Reads the values of a fact from its JSON Schema. */
const Schema = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ enum: z.array(z.string()).optional() })),
});

/** Each graph, with the facts that no edge depends on. */
const GRAPHS: readonly (readonly [PictureName, { getJsonSchema: () => unknown }, readonly string[]])[] = [
  ["pipeline", PipelineState, []],
  // The agent reads the human's decision and chooses.
  ["react", ReactState, ["decision"]],
];

describe.each(GRAPHS)("the graph %s", async (name, state, unasked) => {
  const edges = await edgesOf(name);
  const nodes = new Set(edges.flatMap(({ source, target }) => [source, target]));

  /** The nodes that can be reached from `start`, which is included. */
  function reach(start: string, from: "source" | "target", to: "source" | "target"): Set<string> {
    const reached = new Set([start]);
    for (const name of reached) {
      for (const edge of edges) if (edge[from] === name) reached.add(edge[to]);
    }
    return reached;
  }

  test("reaches every node from its start, and its end from every node", () => {
    expect(reach("__start__", "source", "target")).toEqual(nodes);
    expect(reach("__end__", "target", "source")).toEqual(nodes);
  });

  test("has an edge for every answer that a fact can give, and no edge for any other [1.A.2.state_machine]", () => {
    const { properties } = Schema.parse(state.getJsonSchema());
    const answers = new Map(
      Object.entries(properties).flatMap(([fact, { enum: given }]) =>
        given === undefined || unasked.includes(fact) ? [] : [[fact, new Set(given)] as const],
      ),
    );
    const drawn = new Map([...answers.keys()].map((fact) => [fact, new Set<string>()]));
    const labelled = edges.flatMap(({ source, answer }) => (answer === null ? [] : [{ source, answer }]));
    for (const [source, from] of Map.groupBy(labelled, (edge) => edge.source)) {
      const labels = new Set(from.map(({ answer }) => answer));
      const facts = [...answers]
        .filter(([, given]) => [...labels].every((label) => given.has(label)))
        .map(([fact]) => fact);
      expect(facts, `the fact that ${source} is left by: ${[...labels]}`).toHaveLength(1);
      for (const label of labels) drawn.get(facts[0] ?? "")?.add(label);
    }
    expect(drawn).toEqual(answers);
  });
});
