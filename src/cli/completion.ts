// Shell completion: `orch complete bash` prints a script, which calls `orch complete -- WORDS...` for the candidates.
// The scripts for other shells are those of @bomb.sh/tab; its script for bash needs another package and evaluates the input.
// Its protocol is one candidate per line, then a directive.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command, Option } from "commander";
import type { Terminal } from "./out.ts";

/** Passes the words to orch unchanged and evaluates none of them. */
const BASH_SCRIPT = join(import.meta.dirname, "completion.sh");

const SHELLS = ["bash", "zsh", "fish", "powershell"];

/** The directive that turns file names off. */
const NO_FILES = 4;

/** The words after `--` are an incomplete command line, which commander must not parse. */
export const isCompletionRequest = ([command, dashes]: readonly string[]): boolean =>
  command === "complete" && dashes === "--";

export function addCompletion(program: Command, stdout: Terminal): Command {
  return program
    .command("complete")
    .summary("print a completion script for a shell")
    .description("Print a completion script. For bash, in ~/.bashrc: source <(orch complete bash)")
    .addArgument(program.createArgument("<shell>", "the shell").choices(SHELLS))
    .action(async (shell: string) => {
      if (shell === "bash") stdout.write(readFileSync(BASH_SCRIPT, "utf8"));
      else (await import("@bomb.sh/tab")).script(shell, program.name(), program.name());
    });
}

type Candidate = readonly [value: string, summary: string];
type Completion = { readonly candidates: readonly Candidate[]; readonly files: boolean };

/** The candidates for the last of `words`, in the protocol of the scripts. */
export function completionText(program: Command, words: readonly string[]): string {
  // Bash splits `--status=ok` at the equals sign.
  const typed = words.at(-1) === "=" ? [...words, ""] : words;
  const before = typed.slice(0, -1).filter((word) => word !== "=");
  const [, inline, last] = /^(--[\w-]+=)(.*)$/s.exec(typed.at(-1) ?? "") ?? [null, "", typed.at(-1) ?? ""];
  const { candidates, files } = complete(program, inline === "" ? before : [...before, inline.slice(0, -1)], last);
  const fitting = candidates.filter(([value]) => value.startsWith(last));
  const lines = fitting.map(([value, summary]) => `${value}\t${summary}`);
  return [...lines, `:${files ? 0 : NO_FILES}`, ""].join("\n");
}

const NOTHING: Completion = { candidates: [], files: false };

function complete(program: Command, before: readonly string[], last: string): Completion {
  let command = program;
  let open: Option | undefined;
  let position = 0;
  for (const word of before) {
    const inner = command.commands.find((one) => one.name() === word);
    if (open !== undefined) open = undefined;
    else if (word.startsWith("-")) open = optionsOf(command, program).find(takesValueAs(word));
    else if (inner !== undefined) command = inner;
    else if (command.commands.length > 0) return NOTHING;
    else position += 1;
  }
  if (open !== undefined) return { candidates: plain(open.argChoices), files: takesFile(open.flags) };
  if (last.startsWith("-")) return { candidates: optionsOf(command, program).map(flagOf), files: false };
  if (command.commands.length > 0) return { candidates: command.commands.map(nameOf), files: false };
  const argument = command.registeredArguments[position];
  return argument === undefined
    ? NOTHING
    : { candidates: plain(argument.argChoices), files: takesFile(argument.name()) };
}

const takesValueAs =
  (word: string) =>
  ({ required, short, long }: Option): boolean =>
    required && [short, long].includes(word);

const optionsOf = (command: Command, program: Command): readonly Option[] => [
  ...command.options,
  ...(command === program ? [] : program.options),
];

const plain = (choices: readonly string[] | undefined): Candidate[] => (choices ?? []).map((choice) => [choice, ""]);
const flagOf = ({ long, flags, description }: Option): Candidate => [long ?? flags, description];
const nameOf = (command: Command): Candidate => [command.name(), command.summary() || command.description()];

/** Decided by the name of the value; `of` is a task or a file. */
const takesFile = (syntax: string): boolean => /\b(file|directory|of)\b/.test(syntax);
