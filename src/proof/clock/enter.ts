// What a function, an inner script or a command is given: words, variables, input.
import type { Command, Script, SyntaxNode } from "unbash";
import { plainWord, wordsOf } from "../syntax.ts";
import { RUNNING_FILE } from "./code.ts";
import { moment, type Reading } from "./drift.ts";
import { type ClockScope, MAX_DEPTH } from "./scope.ts";
import { readingOf } from "./values.ts";

/** Of a function with the words that it is given. */
export function called(command: Command, body: SyntaxNode, scope: ClockScope): ClockScope {
  const variables = new Map(scope.variables);
  for (const [at, word] of wordsOf(command).entries()) variables.set(String(at + 1), readingOf(word, scope));
  const functions = scope.depth < MAX_DEPTH ? scope.functions : new Map();
  const inside = { ...scope, variables, functions, depth: scope.depth + 1 };
  scope.walk.learn(body, inside);
  return inside;
}

export function learned(script: Script, scope: ClockScope): ClockScope {
  const inside = { ...scope, variables: new Map(scope.variables), depth: scope.depth + 1 };
  scope.walk.learn(script, inside);
  return inside;
}

type Redirects = Command["redirects"];

export function inputOf(redirects: Redirects, scope: ClockScope, given: Reading): Reading {
  let found = given;
  for (const one of redirects) {
    if (one.type === "HereDoc" || one.target === undefined) continue;
    if (one.type === "HereString") found = readingOf(one.target, scope);
    else if (one.operator === "<")
      found = RUNNING_FILE.test(plainWord(one.target) ?? "") ? moment(one.pos) : readingOf(one.target, scope);
  }
  return found;
}
