// What the supervisor may do next as text for a terminal: each sentence, and below it the commands that do it. They are
// derived from the table of commands and can be pasted into a shell; what the reader has to fill in is in capitals.
import type { Json } from "../domain/json.ts";
import type { NextAction } from "../domain/next-action.ts";
import { shellWord } from "./printable.ts";
import type { CommandEntry, OperationCall } from "./table/command.ts";
import { COMMANDS } from "./table/commands.ts";

export const nextLines = (next: readonly NextAction[]): string[] =>
  next.flatMap((action) => [action.text, ...commandsFor(action).map((command) => `  ${command}`)]);

/** Several where the caller chooses, none where there is nothing to call or no command for it. */
export function commandsFor({ operation, arguments: given }: NextAction): string[] {
  if (operation === null) return [];
  return COMMANDS.flatMap((entry) =>
    (entry.calls ?? [])
      .filter((call) => call.operation === operation && isChosen(call, given))
      .flatMap((call) => commandLines(entry, call, given)),
  );
}

type Given = NextAction["arguments"];

/** A value that is not known yet leaves every choice open. */
const isChosen = ({ chosen_by = {} }: OperationCall, given: Given): boolean =>
  Object.entries(chosen_by).every(([field, value]) => given[field] === undefined || given[field] === value);

function commandLines({ name, arguments: positions = [] }: CommandEntry, call: OperationCall, given: Given): string[] {
  const known = new Map(Object.entries(call.places).map(([field, place]) => [place, given[field]]));
  const lines = positions.reduce<string[]>(
    (begun, [syntax, _summary, choices]) => {
      const words = wordsAt(syntax, known.get(syntax), choices);
      return words.length === 0 ? begun : begun.flatMap((line) => words.map((word) => `${line} ${word}`));
    },
    [`orch ${name}`],
  );
  const options = [...known].flatMap(([place, value]) =>
    place.startsWith("--") && value !== undefined ? [place, wordOf(value, placeholder(place))] : [],
  );
  return lines.map((line) => [line, ...options, ...(call.always ?? [])].join(" "));
}

/** The words that may stand at one position; none where an optional argument is not known. */
function wordsAt(syntax: string, value: Json | undefined, choices: readonly string[] | undefined): readonly string[] {
  if (value !== undefined) return [wordOf(value, placeholder(syntax))];
  if (syntax.startsWith("[")) return [];
  return choices ?? [placeholder(syntax)];
}

const placeholder = (place: string): string => place.replace(/[^a-z]/g, "").toUpperCase();

const wordOf = (value: Json, name: string): string =>
  typeof value === "string" ? shellWord(value, name) : shellWord(JSON.stringify(value), name);
