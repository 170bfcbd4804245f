// Runs what calling an alias or a function of the text runs.

import type { Function as FunctionNode } from "unbash";
import { DEFINED_IN } from "../interpreter/compound.ts";
import type { Machine, Output } from "../interpreter/machine.ts";
import { type Lists, restored, type State, without } from "../interpreter/state.ts";
import { quoted, UNKNOWN } from "../words/symbols.ts";

type Definition = { readonly name: string; readonly args: readonly string[] };

/** `lists`: alternatives of its words. */
type Call = { readonly name: string; readonly lists: Lists };

export function runAlias(text: string, { name, args }: Definition, state: State, machine: Machine): Output {
  const { aliases } = state.bindings;
  state.bindings.aliases = without(aliases, name);
  state.frame.depth += 1;
  const output = machine.runText([text, ...args.map(quoted)].join(" "), state);
  state.bindings.aliases = aliases;
  state.frame.depth -= 1;
  return output;
}

const MAX_RECURSION = 3;

export function callFunction(
  body: FunctionNode["body"],
  { name, lists }: Call,
  state: State,
  machine: Machine,
): Output {
  const caller = state.frame;
  if (caller.calls.includes(name) && caller.concurrent) {
    const reason = "a function that starts itself again in a pipeline or in the background is a fork bomb; remove it";
    machine.report("block", "disk.write", reason, [name, ...(lists[0] ?? [])]);
    return [UNKNOWN];
  }
  if (caller.calls.filter((call) => call === name).length >= MAX_RECURSION) {
    const reason = "a function that calls itself is not followed further; use a loop";
    machine.report("ask", "cap.depth", reason, [name, ...(lists[0] ?? [])]);
    return [UNKNOWN];
  }
  const { vars, attributes } = state.bindings;
  const locals = new Set<string>();
  state.frame = {
    ...caller,
    positional: lists,
    calls: [...caller.calls, name],
    depth: caller.depth + 1,
    concurrent: false,
    file: DEFINED_IN.get(body) ?? null,
    locals,
  };
  const output = machine.runBody(body, state);
  const { bindings } = state;
  if (locals.size > 0) {
    bindings.vars = restored(bindings.vars, locals, vars);
    if (bindings.attributes !== attributes) bindings.attributes = restored(bindings.attributes, locals, attributes);
  }
  state.frame = caller;
  return output;
}
