// docs/command-line.md: what `--help` prints, of every command, from the parser itself.
import { Writable } from "node:stream";
import type { Command } from "commander";
import { createParser } from "../../../src/cli/parser.ts";
import { COMMANDS } from "../../../src/cli/table/commands.ts";

/** The width at which help is readable as a page. */
const COLUMNS = 110;

const INTRODUCTION = `# The command line

<!-- Written by \`npm run docs\` from src/cli. -->

\`orch\` is a client of its own server: a person, a script and a supervisor with a shell use the same operations that HTTP and MCP have.
With \`--json\` an answer is one document on stdout (with \`--follow\` a line for each event, and for each piece of
output one of kind \`live_output\` without \`seq\`), and an error one on stderr. Tables fit the terminal. \`orch inbox\` and every answer that waits print the commands that give it.

Try one: \`source <(orch complete bash)\` completes commands, options and files, also for zsh, fish and powershell.`;

type Named = { readonly name: string; readonly command: Command };

export function commandLinePage(): string {
  const printed: string[] = [];
  const write = (text: string | Buffer, _encoding: string, done: () => void) => {
    printed.push(String(text));
    done();
  };
  const terminal = Object.assign(new Writable({ write }), { columns: COLUMNS });
  const surface = { stdout: terminal, stderr: terminal, version: "", json: false };
  const program = createParser(COMMANDS, surface, async () => {});
  const helpOf = (command: Command): string => {
    printed.length = 0;
    command.outputHelp();
    return printed.join("").trimEnd();
  };
  const named = commandsIn(program, "orch");
  const rows = named.map(({ name, command }) => `| [\`${name}\`](#${anchorOf(name)}) | ${command.summary()} |`);
  return [
    INTRODUCTION,
    ["| command | |", "|---|---|", ...rows].join("\n"),
    `## orch\n\n${block(helpOf(program))}`,
    ...named.map(({ name, command }) => `## ${name}\n\n${block(helpOf(command))}`),
    "",
  ].join("\n\n");
}

/** A group of commands is shown by its commands. */
const commandsIn = (parent: Command, path: string): Named[] =>
  parent.commands.flatMap((command) => {
    const name = `${path} ${command.name()}`;
    return command.commands.length === 0 ? [{ name, command }] : commandsIn(command, name);
  });

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-");
const block = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;
