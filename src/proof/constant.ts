// The exit code of a check where its text alone decides it, on any machine. Such a check proves nothing, so that it is
// refused when steps are taught. What cannot be followed to its end is not constant.
import { ANY_TEXT } from "./exit-code/conditions.ts";
import type { CheckEnd, ExitStatus } from "./exit-code/state.ts";

import { endings } from "./exit-code/walk.ts";

/** `exit_code` 1 is every code but 0. `why` completes "check step 1 cannot fail: ...". */
export type ConstantExit = { readonly exit_code: ExitStatus; readonly why: string };

type Environment = Readonly<Record<string, string>>;

const MAX_SHOWN = 60;
/** The same for every task of a procedure. */
const OF_THE_TARGET = /^ORCH_TARGET_/;
/** Always set, to another text in another task. */
const OF_THE_TASK = /^ORCH_(PAYLOAD|TASK_ID)$/;

/** `env` holds the variables of the contract. Never throws. */
export function constantExit(text: string, env: Environment): ConstantExit | null {
  const own = Object.entries(env).filter(([name]) => OF_THE_TARGET.test(name) || OF_THE_TASK.test(name));
  const first = Object.fromEntries(own);
  const other = Object.fromEntries(own.map(([name, value]) => [name, OF_THE_TASK.test(name) ? ANY_TEXT : value]));
  const seen = readings(text).flatMap((source) => [first, other].map((given) => exitOf(source, given)));
  const [exit = null] = seen;
  return exit !== null && seen.every((one) => one?.exit_code === exit.exit_code) ? exit : null;
}

/** The parser keeps some line continuations that bash removes first. */
const readings = (text: string): readonly string[] =>
  text.includes("\\\n") ? [text, text.replaceAll("\\\n", "")] : [text];

function exitOf(text: string, env: Environment): ConstantExit | null {
  try {
    const outcomes = endings(text, env);
    const [first] = outcomes;
    if (first === undefined || outcomes.some(({ status }) => status !== first.status)) return null;
    return { exit_code: first.status, why: sentence(outcomes, first.status) };
  } catch {
    // Undecided, or nested too deeply for this process: not constant either way.
    return null;
  }
}

function sentence(outcomes: readonly CheckEnd[], status: ExitStatus): string {
  const commands = [...new Set(outcomes.flatMap(({ by }) => by))].filter((by) => by.trim() !== "");
  const code = status === 0 ? "0" : "never 0";
  if (commands.length === 0) return "it runs nothing that could fail";
  const [only = ""] = commands;
  if (commands.length === 1) return `its exit code is that of ${shown(only)}, which is ${code} on any machine`;
  return `its exit code is ${code} on any machine: it ends with ${commands.map(shown).join(" or with ")}`;
}

function shown(command: string): string {
  const line = command.trim().replace(/\s+/g, " ");
  return `\`${line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).toWellFormed()}...` : line}\``;
}
