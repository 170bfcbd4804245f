// Holds what every graph shares: a node announces that it begins and that it ends, and an edge chooses by the fact that a node
// reported.
import { channel } from "node:diagnostics_channel";

const beginning = channel("orch:node");
const ending = channel("orch:node_end");

type Node = (state: never) => Promise<unknown>;

export const traced = <Nodes extends Record<string, Node>>(nodes: Nodes): Nodes =>
  Object.fromEntries(
    Object.entries(nodes).map(([name, node]) => [
      name,
      (state: never) => {
        if (beginning.hasSubscribers) beginning.publish({ name, state });
        const end = node(state);
        return ending.hasSubscribers ? end.finally(() => ending.publish({ name, state })) : end;
      },
    ]),
  ) as Nodes;

/** A row for each node: the one node that follows it, or the fact that chooses and where each of its values leads. */
export type Edges<State, Node extends string> = Readonly<Record<Node, To<Node> | Choice<State, keyof State, Node>>>;
type To<Node> = Node | "__end__";
type Choice<State, Fact extends keyof State, Node> = Fact extends string
  ? { readonly fact: Fact; readonly next: { readonly [Value in NonNullable<State[Fact]> & string]?: To<Node> } }
  : never;

type Buildable = {
  addEdge: (from: never, to: never) => unknown;
  addConditionalEdges: (from: never, choose: (state: never) => never, next: never) => unknown;
};

/** Throws within a run when the node has reported no fact: that is a bug, and no outcome is guessed. */
export function withEdges<Graph extends Buildable, State, Node extends string>(
  graph: Graph,
  edges: Edges<State, Node>,
): Graph {
  for (const [node, row] of Object.entries(edges) as [string, string | { fact: string; next: object }][]) {
    if (typeof row === "string") graph.addEdge(node as never, row as never);
    else graph.addConditionalEdges(node as never, (state) => factOf(state, row.fact, node), row.next as never);
  }
  return graph;
}

function factOf(state: Readonly<Record<string, unknown>>, fact: string, node: string): never {
  const reported = state[fact];
  if (reported == null) throw new Error(`no fact ${fact}: ${node} has reported none`);
  return reported as never;
}
