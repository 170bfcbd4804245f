// Decides whether the shell certainly ends where a list of commands ends: with `exit`, with a program that replaces the shell, or with
// a function that ends so. What is assigned on such a path is seen only by what runs when the shell ends.
import { type Command, type CompoundList, forEachChild, type SyntaxNode } from "unbash";
import type { Node } from "./machine.ts";
import type { State } from "./state.ts";

/** Functions that call one another. */
const MAX_CALLS = 4;

/** Where something in the list may leave it earlier, it is not certain. */
export function exits(list: CompoundList, state: State, calls = 0): boolean {
  const last = list.commands.at(-1);
  return last !== undefined && last.background !== true && ends(last.command, state, calls) && !isLeftEarlier(list);
}

/** `exit 1`, `exec nginx`, `{ echo wrong; exit 1; }`, or a function that ends with one of these. */
export function ends(node: Node, state: State, calls = 0): boolean {
  if (node.type === "BraceGroup") return exits(node.body, state, calls);
  if (node.type === "If") {
    const bodies = [node.then, ...node.elif.map(({ then }) => then), ...(node.else === undefined ? [] : [node.else])];
    return node.else !== undefined && bodies.every((body) => exits(body, state, calls));
  }
  // A redirection that fails makes the command fail, and the shell goes on.
  if (node.type !== "Command" || node.redirects.length > 0) return false;
  const name = node.name?.text ?? "";
  const { functions, aliases } = state.bindings;
  if (aliases.has(name) || calls > MAX_CALLS) return false;
  const bodies = functions.get(name);
  if (bodies !== undefined)
    return bodies.every((body) => body.type === "BraceGroup" && exits(body.body, state, calls + 1));
  // `exit --help` does not exit.
  if (name === "exit") return node.args.length < 2 && /^(?:\d*|\$\?|"\$\?")$/.test(node.args[0]?.text ?? "");
  return name === "exec" && /^[\w./]/.test(node.args[0]?.text ?? "");
}

const LEFT = new WeakMap<CompoundList, boolean>();

function isLeftEarlier(list: CompoundList): boolean {
  const known = LEFT.get(list);
  if (known !== undefined) return known;
  let found = false;
  const visit = (node: SyntaxNode): void => {
    found ||= node.type === "Function" || (node.type === "Command" && mayLeave(node));
    if (!found) forEachChild(node, visit);
  };
  visit(list);
  LEFT.set(list, found);
  return found;
}

/** Leaves a list, runs text that may, or changes what `exit` and `exec` mean. */
const LEAVING = /^(?:return|break|continue|eval|source|\.|enable|shopt|trap|alias|unalias|unset)$/;
const PLAIN = /^[\w./:@%+,-]+$/;

function mayLeave({ name, args }: Command): boolean {
  if (name === undefined) return false;
  if (!PLAIN.test(name.text) || LEAVING.test(name.text)) return true;
  const is_asked = /^-[vV]$/.test(args[0]?.text ?? "");
  return /^(?:builtin|command)$/.test(name.text) && !is_asked;
}
