// Builds the commander parser from the table of commands, with the global options and the help.
import { Argument, Command, Help, Option } from "commander";
import { addCompletion } from "./completion.ts";
import type { CommandLineContext } from "./context.ts";
import { EXIT, EXIT_MEANINGS } from "./failure.ts";
import { choiceOf, FOREVER } from "./option-values.ts";
import type { Terminal } from "./out.ts";
import type { CommandEntry, CommandOption } from "./table/command.ts";
import { fitHelp } from "./text-format.ts";

const FIRST_EXAMPLES = ["orch serve", "orch run health_check service=web --wait", "orch inbox"];
const COMPLETION_EXAMPLES = ["orch complete fish", "source <(orch complete bash)"];

type Surface = Pick<CommandLineContext, "stdout" | "stderr" | "version"> & { readonly json: boolean };

type GlobalOptions = { readonly json: boolean; readonly url: string | undefined };

/** `given` holds the command's arguments and options by name. */
type OnCommand = (
  entry: CommandEntry,
  globals: GlobalOptions,
  given: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** With --json, stderr receives errors only. */
export function createParser(entries: readonly CommandEntry[], surface: Surface, onCommand: OnCommand): Command {
  const { stdout, stderr, version, json } = surface;
  const program = new Command("orch")
    .description(
      "Operates what an LLM supervisor delegates: what ran is what was approved, nothing ran twice, done was verified.",
    )
    .option("--json", "answer with one JSON document on stdout, or a line for each event; errors with one on stderr")
    .option(
      "--url <url>",
      "the server to call (default: ORCH_URL, or ORCH_HOST and ORCH_PORT, or the one of the data directory)",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", exitCodes())
    .exitOverride()
    .configureHelp({ optionDescription: withoutPreset })
    .configureOutput({
      writeOut: (text) => void stdout.write(fitHelp(text, widthOf(stdout))),
      writeErr: (text) => void (json || stderr.write(fitHelp(text, widthOf(stderr)))),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
      outputError: () => undefined,
    });
  const groupOf = groupsOf(program, entries);
  for (const entry of entries) addCommand(groupOf, entry, onCommand);
  addExamples(program, FIRST_EXAMPLES);
  addExamples(addCompletion(program, stdout), COMPLETION_EXAMPLES);
  return program;
}

/** The summary of an option says what it means without a value; commander would add the value of this program for it. */
const withoutPreset = (option: Option): string =>
  new Help().optionDescription(Object.create(option, { presetArg: { value: undefined } }));

const widthOf = ({ columns }: Terminal): number => columns || 100;

function addCommand(groupOf: (name: string) => Command, entry: CommandEntry, onCommand: OnCommand): void {
  const command = groupOf(entry.name)
    .command(entry.name.split(" ").at(-1) ?? "")
    .summary(entry.summary)
    .description(sentence(entry.summary));
  for (const [syntax, summary, choices] of entry.arguments ?? []) {
    const argument = new Argument(syntax, summary);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const option of entry.options ?? []) command.addOption(optionOf(option));
  if (entry.more !== undefined) command.addHelpText("after", `\n${entry.more}`);
  addExamples(command, entry.examples);
  command.action(async () => {
    const { json, url, ...options } = command.optsWithGlobals();
    refusePlaceholders(command);
    await onCommand(entry, { json: json === true, url }, { ...namedArguments(command), ...options });
  });
}

function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText("after", ["", "Examples:", ...examples.map((line) => `  ${line}`)].join("\n"));
}

/** The command that has the one of this name: the program, or a group, which is added with the first of its commands. */
const groupsOf =
  (program: Command, entries: readonly CommandEntry[]) =>
  (command: string): Command => {
    const [name = "", second] = command.split(" ");
    if (second === undefined) return program;
    const known = program.commands.find((group) => group.name() === name);
    if (known !== undefined) return known;
    const summary = GROUPS.get(name) ?? "";
    const group = program.command(name).summary(summary).description(sentence(summary));
    const first = entries.flatMap((entry) => (entry.name.startsWith(`${name} `) ? entry.examples.slice(0, 1) : []));
    addExamples(group, first);
    return group;
  };

const GROUPS: ReadonlyMap<string, string> = new Map([
  ["new", "write a file to begin with"],
  ["sop", "show, compare, copy, export, import and draft one stored procedure"],
  ["library", "list, show and import the procedures that come with orch"],
  ["skill", "write, check and try a skill"],
  ["schedule", "have contracts submitted by orch itself, at set times"],
  ["policy", "ask the guard about a command"],
  ["service", "run the server as a service of systemd"],
  ["eval", "measure a model on cases and tasks"],
]);

const sentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;

function optionOf([flags, summary, allowed]: CommandOption): Option {
  const option = new Option(flags, summary);
  if (typeof allowed === "function") option.argParser(allowed);
  else if (allowed !== undefined) option.choices(allowed).argParser((value) => choiceOf(allowed, value));
  return option.optional ? option.preset(FOREVER) : option;
}

/** A value in capitals of a command that was pasted as it was printed: it must not be recorded as who decided (D-095). */
function refusePlaceholders(command: Command): void {
  for (const option of command.options) {
    const placeholder = /<(.+)>/.exec(option.flags)?.[1]?.toUpperCase();
    const given: unknown[] = [command.getOptionValue(option.attributeName())].flat();
    if (placeholder !== undefined && given.includes(placeholder))
      command.error(`error: ${option.long} ${placeholder}: put your own text in the place of ${placeholder}.`);
  }
}

const namedArguments = (command: Command): Record<string, unknown> =>
  Object.fromEntries(command.registeredArguments.map((argument, at) => [argument.name(), command.processedArgs[at]]));

const exitCodes = (): string =>
  [
    "",
    "Exit codes:",
    ...Object.entries(EXIT).map(
      ([name, code]) => `  ${String(code).padEnd(4)} ${EXIT_MEANINGS[name as keyof typeof EXIT]}`,
    ),
    "",
    "The server is found by ORCH_URL, or ORCH_HOST and ORCH_PORT, or in its data directory; the token by ORCH_TOKEN, or there.",
  ].join("\n");
