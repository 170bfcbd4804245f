// Arithmetic evaluates the text of its variables again, and a command substitution inside an index runs.
import { type ArithmeticExpression, forEachChild, type SyntaxNode } from "unbash";
import type { Machine } from "./machine.ts";
import { fork, type State } from "./state.ts";
import { isUnknown } from "./symbols.ts";

/** Judges what evaluating the expression could run. */
export function arithmetic(expression: ArithmeticExpression, state: State, machine: Machine): void {
  const visit = (node: SyntaxNode): void => {
    if (node.type === "CommandExpansion" || node.type === "ArithmeticCommandExpansion") {
      if (node.script !== undefined) machine.runScript(node.script, fork(state, { depth: state.depth + 1 }));
      return;
    }
    if (node.type === "ArithmeticWord") {
      for (const name of node.value.match(/[A-Za-z_]\w*/g) ?? []) {
        for (const value of state.vars.get(name) ?? []) evaluated(value, state, machine);
      }
    }
    forEachChild(node, visit);
  };
  visit(expression);
}

/** Text that bash evaluates as arithmetic: `[[ $x -eq 0 ]]`, `test -v`, `let`. */
export function evaluated(text: string, state: State, machine: Machine): void {
  if (isUnknown(text)) {
    machine.report(
      "ask",
      "dyn.pipe_to_shell",
      "unknown text is evaluated as arithmetic, where bash runs what stands in an index; compare it with [ ] instead",
    );
  } else if (/[$`]/.test(text)) machine.runText(`: "${text.replaceAll('"', '\\"')}"`, fork(state));
}
