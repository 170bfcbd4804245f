// Announces on the diagnostics channel `orch:node` that a node begins: for tracing, and for the tests that kill the server
// in every node.
import { channel } from "node:diagnostics_channel";

const beginning = channel("orch:node");

type Node = (state: never) => Promise<unknown>;

export const traced = <Nodes extends Record<string, Node>>(nodes: Nodes): Nodes =>
  Object.fromEntries(
    Object.entries(nodes).map(([name, node]) => [
      name,
      (state: never) => {
        if (beginning.hasSubscribers) beginning.publish({ name });
        return node(state);
      },
    ]),
  ) as Nodes;
