// Lists of commands that are joined by `&&` and `||`.
import { joined } from "../words/symbols.ts";
import type { Node, Output, Walk } from "./machine.ts";
import { merge } from "./merge.ts";
import { fork, type State } from "./state.ts";

type List = Extract<Node, { type: "AndOr" }>;

/** After each command its list goes on from where it has succeeded, or from where it has failed. */
export function andOr({ commands, operators }: List, state: State, walk: Walk): Output {
  let output: Output = [""];
  let failed: State | null = null;
  for (const [at, command] of commands.entries()) {
    const onFailure = at > 0 && operators[at - 1] === "||";
    const from: State = onFailure ? (failed ?? fork(state)) : state;
    const text = walk.node(command, from);
    output = at === 0 ? text : joined(output, ["", ...text]);
    if (onFailure) {
      merge(state, from);
      failed = from;
    } else if (!succeeds(command)) {
      if (failed === null) failed = fork(state);
      else merge(failed, state);
    }
  }
  if (failed !== null) merge(state, failed);
  return output;
}

/** An assignment fails only where a command in it does. */
const succeeds = (node: Node): boolean =>
  node.type === "Command" &&
  node.name === undefined &&
  !node.prefix.some((part) => part.type !== "Assignment" || /[`(]/.test(part.text));
