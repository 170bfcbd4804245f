// Text that a command may run: the state after it may hold afterwards.
import type { Machine, Output } from "./machine.ts";
import { merge } from "./merge.ts";
import { deeper, type State } from "./state.ts";

export function runInside(text: string, state: State, machine: Machine): Output {
  const inner = deeper(state);
  const output = machine.runText(text, inner);
  merge(state, inner);
  return output;
}
