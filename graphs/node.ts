// What the nodes and edges of every graph share: a node announces that it begins and that it ends, and an edge chooses by the fact that
// a node reported.
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

/** Throws when the node has reported no fact: that is a bug, and no outcome is guessed. */
export function factOf<State extends object, Fact extends keyof State & string>(
  state: State,
  fact: Fact,
  ...nodes: readonly string[]
): NonNullable<State[Fact]> {
  const reported = state[fact];
  if (reported == null) throw new Error(`no fact ${fact}: ${nodes.join(" or ")} has reported none`);
  return reported;
}
