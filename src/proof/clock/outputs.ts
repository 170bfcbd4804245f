// How what a part of a check prints drifts.
import type { AndOr, Command, SyntaxNode } from "unbash";
import { programName, visit } from "../syntax.ts";
import { blur, blurred, either, isSteady, lines, type Reading, STEADY } from "./drift.ts";
import { called, inputOf, learned } from "./enter.ts";
import { innerScript, launched } from "./inner.ts";
import { type ClockScope, MAX_DEPTH, spend } from "./scope.ts";
import { commandOutput } from "./sources.ts";

export function output(node: SyntaxNode, scope: ClockScope, given: Reading): Reading {
  switch (node.type) {
    case "Script":
    case "CompoundList":
      return node.commands.map((one) => output(one, scope, given)).reduce(either, STEADY);
    case "Statement":
      return output(node.command, scope, given);
    case "AndOr":
      return chainOutput(node, scope, given);
    case "Pipeline":
      return node.commands.reduce((fed, command) => output(command, scope, fed), given);
    case "Command":
      return outputOfCommand(node, scope, inputOf(node.redirects, scope, given));
    case "Redirected":
      return output(node.command, scope, inputOf(node.redirects, scope, given));
    case "BraceGroup":
    case "Subshell":
      return output(node.body, scope, given);
    default:
      return branchedOutput(node, scope, given);
  }
}

/** `a && echo yes`: there is text where `a` holds. */
function chainOutput(node: AndOr, scope: ClockScope, given: Reading): Reading {
  const texts = node.commands.map((command) => output(command, scope, given)).reduce(either, STEADY);
  const condition = scope.walk.answer({ ...node, commands: node.commands.slice(0, -1) }, scope, given);
  if (condition === 0) return texts;
  return isSteady(texts) && !node.operators.includes("||") ? lines(condition) : blurred(lines(condition));
}

function branchedOutput(node: SyntaxNode, scope: ClockScope, given: Reading): Reading {
  let all = blurred(given);
  visit(node, (inner) => {
    if (inner.type === "Statement") {
      const condition = lines(blur(scope.walk.answer(inner, scope, STEADY)));
      all = either(all, either(blurred(output(inner, scope, STEADY)), condition));
    }
  });
  return all;
}

function outputOfCommand(command: Command, scope: ClockScope, given: Reading): Reading {
  spend(scope);
  const body = scope.functions.get(programName(command) ?? "");
  if (body !== undefined) return output(body, called(command, body, scope), given);
  if (scope.depth >= MAX_DEPTH) return lines(Number.NaN);
  const inner = innerScript(command);
  if (inner !== null) return output(inner, learned(inner, scope), given);
  const started = launched(command);
  return started === null ? commandOutput(command, scope, given) : outputOfCommand(started, scope, given);
}
