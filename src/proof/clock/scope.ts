// What is known at a place of a check: variables, functions, the status of the command before.
import type { SyntaxNode } from "unbash";
import type { Reading } from "./drift.ts";

export type ClockScope = {
  readonly variables: Map<string, Reading>;
  readonly functions: ReadonlyMap<string, SyntaxNode>;
  /** Files that the check itself gives a time of now, or some time ago. */
  readonly touched: ReadonlySet<string>;
  /** The answer of the command before, for `$?`. */
  readonly status: number;
  readonly isInLoop: boolean;
  readonly depth: number;
  /** Of nodes that are still followed. */
  readonly budget: { left: number };
  readonly walk: ClockWalk;
};

/** The parts of this folder need one another. `given` is what comes in by a pipe or a redirection. */
export type ClockWalk = {
  /** How the answer of a node drifts. */
  readonly answer: (node: SyntaxNode, scope: ClockScope, given: Reading) => number;
  /** What it prints. */
  readonly output: (node: SyntaxNode, scope: ClockScope, given: Reading) => Reading;
  /** What its assignments put into variables. */
  readonly learn: (node: SyntaxNode, scope: ClockScope) => void;
};

export const MAX_DEPTH = 5;

/** Functions that call functions make much work of few words. */
export function spend({ budget }: ClockScope): void {
  budget.left -= 1;
  if (budget.left < 0) throw new Error("the check is too long to be followed");
}
