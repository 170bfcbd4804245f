// Programs whose end the text shows: those that print or give a constant, a pause, and shells with a text of their own.
import { type BuiltinCall, builtin } from "./builtins.ts";
import { type CheckEnd, either, ended, type KnownText, type ShellState, undecided } from "./state.ts";

const DURATION = /^\d+(\.\d+)?[smhd]?$/;
const PLAIN = /^(true|false|echo|test|\[)$/;

/** Null for every other program. */
export function program(call: BuiltinCall, state: ShellState): CheckEnd[] | null {
  const { name, args, by } = call;
  const base = name.replace(/^\/(usr\/)?bin\//, "");
  if (args === null || state.steered) return null;
  if (base === "sleep" && args.length > 0 && args.every((arg) => arg !== null && DURATION.test(arg)))
    return [ended(0, state, by)];
  if (/^(bash|sh|dash)$/.test(base)) return otherShell(base !== "bash", call, state);
  if (base === "timeout" && DURATION.test(args[0] ?? "")) return launched(args.slice(1), call, state);
  if (base === "env") return launched(args, call, state);
  return PLAIN.test(base) && base !== name ? builtin({ ...call, name: base }, state) : null;
}

/** A program, not the builtin: its words count the same. */
function launched(args: readonly KnownText[], call: BuiltinCall, state: ShellState): CheckEnd[] | null {
  const [name = null, ...rest] = args;
  return name !== null && PLAIN.test(name) ? builtin({ ...call, name, args: rest }, state) : null;
}

const NOT_POSIX = /\[\[|\(\(|<<<|&>|\$['{"]|\+=|\{|==|\b(function|set|local|source|declare)\b/;

function otherShell(posix: boolean, call: BuiltinCall, state: ShellState): CheckEnd[] | null {
  const { args, by, place, walk } = call;
  const [flag, text] = args ?? [];
  if (flag !== "-c" || typeof text !== "string") return null;
  if (posix && NOT_POSIX.test(text)) return undecided();
  const statuses = walk.otherShell(text, state, { ...place, posix });
  const after = { ...state, out: null };
  const [only] = statuses;
  return statuses.size === 1 && only !== undefined ? [ended(only, after, by)] : either(after, by);
}
