// The next actions of the supervisor as text for a terminal: each sentence, and below it the commands that do it. The
// commands derive from the command table and can be pasted into a shell. Values that are not known are in capitals.
import type { Json } from "../domain/json.ts";
import type { NextAction } from "../domain/next-action.ts";
import { shellWord } from "../domain/printable.ts";
import type { CommandEntry, OperationCall } from "./table/command.ts";
import { COMMANDS } from "./table/commands.ts";

/** A command that answers several actions is printed once, below the last of them. */
export function nextLines(next: readonly NextAction[], program = "orch"): string[] {
  const commands = next.map((action) => commandsFor(action, program));
  return next.flatMap(({ text }, at) => {
    const later = new Set(commands.slice(at + 1).flat());
    return [text, ...(commands[at] ?? []).filter((line) => !later.has(line)).map((line) => `  ${line}`)];
  });
}

/** Several commands where the caller has a choice, none where no operation or no command fits. */
export function commandsFor({ operation, arguments: given }: NextAction, program = "orch"): string[] {
  if (operation === null) return [];
  return COMMANDS.flatMap((entry) =>
    (entry.calls ?? [])
      .filter((call) => call.operation === operation && isChosen(call, given))
      .flatMap((call) => commandLines(entry, call, given))
      .map((line) => `${program} ${line}`),
  );
}

type Given = NextAction["arguments"];

/** A value that is not known yet leaves every choice open. */
const isChosen = ({ chosen_by = {} }: OperationCall, given: Given): boolean =>
  Object.entries(chosen_by).every(([field, value]) => given[field] === undefined || given[field] === value);

function commandLines({ name, arguments: positions = [] }: CommandEntry, call: OperationCall, given: Given): string[] {
  const known = new Map(Object.entries(call.parameters).map(([field, parameter]) => [parameter, given[field]]));
  const lines = positions.reduce<string[]>(
    (begun, [syntax, _summary, choices]) => {
      const words = wordsAt(syntax, known.get(syntax), choices);
      return words.length === 0 ? begun : begun.flatMap((line) => words.map((word) => `${line} ${word}`));
    },
    [name],
  );
  const options = [...known].flatMap(([parameter, value]) =>
    parameter.startsWith("--") && value !== undefined ? [parameter, wordOf(value, placeholder(parameter))] : [],
  );
  return lines.map((line) => [line, ...options, ...(call.always ?? [])].join(" "));
}

/** The words that are possible at one position; none for an optional argument without a value. */
function wordsAt(syntax: string, value: Json | undefined, choices: readonly string[] | undefined): readonly string[] {
  if (value !== undefined) return [wordOf(value, placeholder(syntax))];
  if (syntax.startsWith("[")) return [];
  return choices ?? [placeholder(syntax)];
}

const placeholder = (parameter: string): string => parameter.replace(/[^a-z]/g, "").toUpperCase();

const wordOf = (value: Json, name: string): string =>
  typeof value === "string" ? shellWord(value, name) : shellWord(JSON.stringify(value), name);
