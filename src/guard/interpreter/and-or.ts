// Lists of commands that are joined by `&&` and `||`.
import { joined } from "../words/symbols.ts";
import { ends, narrow, narrowAtEnd, numbersAfter } from "./checked-numbers.ts";
import type { Node, Output, Walk } from "./machine.ts";
import { merge } from "./merge.ts";
import { fork, type State } from "./state.ts";

type List = Extract<Node, { type: "AndOr" }>;

/** After each command its list goes on from where it has succeeded, or from where it has failed. */
export function andOr(list: List, state: State, walk: Walk): Output {
  const { commands, operators } = list;
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
      if (operators[at] === "&&") narrow(numbersAfter(command, true), state);
    }
  }
  if (failed !== null) merge(state, failed);
  narrowAtEnd(numbersShown(list, state), state);
  return output;
}

/** What a list that may end with `exit` has shown where it goes on. */
function numbersShown({ commands, operators }: List, state: State): readonly string[] {
  const last = commands.at(-1);
  if (last === undefined || !ends(last, state)) return [];
  const [first, ...others] = commands.slice(0, -1);
  if (operators.at(-1) === "&&") return first === undefined || others.length > 0 ? [] : numbersAfter(first, false);
  return operators.slice(0, -1).every((operator) => operator === "&&")
    ? commands.slice(0, -1).flatMap((command) => numbersAfter(command, true))
    : [];
}

/** An assignment fails only where a command in it does. */
const succeeds = (node: Node): boolean =>
  node.type === "Command" &&
  node.name === undefined &&
  !node.prefix.some((part) => part.type !== "Assignment" || /[`(]/.test(part.text));
