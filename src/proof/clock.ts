// Whether time alone may turn a check green: "no file is younger than 5 seconds" is red, and green a moment later, though nothing
// was reached. "The backup is of the last day" only turns red by time.
import type { SyntaxNode } from "unbash";
import { STEADY } from "./clock/drift.ts";
import type { ClockScope } from "./clock/scope.ts";
import { WALK } from "./clock/walk.ts";
import { type CheckTree, plainWord, programName, treeOf, visit, wordsOf } from "./syntax.ts";

/** What a value goes through before it decides: variables that are set from variables. */
const PASSES = 2;
const MAX_NODES = 100_000;

/** Never throws. Where it cannot be followed which way time turns the check, it may. */
export function mayTimeTurnGreen(text: string): boolean {
  const tree = treeOf(text);
  if (tree === null) return false;
  try {
    const drift = driftOf(tree);
    return drift > 0 || Number.isNaN(drift);
  } catch {
    // Too long, or nested too deeply for this process.
    return true;
  }
}

function driftOf(tree: CheckTree): number {
  const scope: ClockScope = {
    ...{ variables: new Map(), functions: functionsIn(tree), touched: touchedIn(tree) },
    ...{ status: 0, isInLoop: false, depth: 0, budget: { left: MAX_NODES }, walk: WALK },
  };
  for (let pass = 0; pass < PASSES; pass += 1) WALK.learn(tree, scope);
  return WALK.answer(tree, scope, STEADY);
}

function functionsIn(tree: CheckTree): Map<string, SyntaxNode> {
  const functions = new Map<string, SyntaxNode>();
  visit(tree, (node) => {
    if (node.type === "Function") functions.set(node.name.value, node.body);
  });
  return functions;
}

/** As the text spells them. */
function touchedIn(tree: CheckTree): Set<string> {
  const files = new Set<string>();
  visit(tree, (node) => {
    if (node.type !== "Command" || programName(node) !== "touch") return;
    for (const word of wordsOf(node)) if (!(plainWord(word) ?? "").startsWith("-")) files.add(word.text);
  });
  return files;
}
