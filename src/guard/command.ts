// Runs `orch-guard`: judges a command that is given as a word, or the text of a file, and prints the verdict with its reasons.
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { parseArgs } from "node:util";
import { type CommandEffect, examine, protectPaths, type ShellContext } from "./guard.ts";

const USAGE = `usage: orch-guard [options] COMMAND
       orch-guard [options] --file PATH      (- is the standard input)

Judges the text of a bash command, with the texts of the scripts that it runs, and runs nothing of it.

  --json              print one line of JSON
  --cwd PATH          the directory that it would run in (default: this one)
  --home PATH         the home directory that it would see (default: yours)
  --env NAME=VALUE    a variable that it would see; may be given again
  --protect PATH      a tree that may not be deleted, beside those of every system; may be given again
  --help              print this text

exit code: 0 allow, 1 ask, 2 block, 64 the command line is wrong
`;

const EXIT = { allow: 0, ask: 1, block: 2, usage: 64 } as const;

class UsageError extends Error {}

type Question = {
  readonly text: string;
  readonly context: ShellContext;
  readonly protect: readonly string[];
  readonly as_json: boolean;
};

/** Null: the help is wanted. Throws `UsageError`. */
function readQuestion(args: readonly string[]): Question | null {
  const { values, positionals } = parsed(args);
  if (values.help === true) return null;
  const context = {
    cwd: absolute("--cwd", values.cwd ?? process.cwd()),
    home: absolute("--home", values.home ?? homedir()),
    env: variablesOf(values.env ?? []),
  };
  const protect = (values.protect ?? []).map((path) => absolute("--protect", path));
  return { text: textOf(values.file, positionals), context, protect, as_json: values.json === true };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        cwd: { type: "string" },
        env: { type: "string", multiple: true },
        file: { type: "string" },
        help: { type: "boolean" },
        home: { type: "string" },
        json: { type: "boolean" },
        protect: { type: "string", multiple: true },
      },
    });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function textOf(file: string | undefined, commands: readonly string[]): string {
  const [command, ...others] = commands;
  if (file === undefined) {
    if (command === undefined) throw new UsageError("give a command, or a file with --file PATH");
    if (others.length > 0) throw new UsageError("give the command as one word: quote it");
    if (command === "-") throw new UsageError("read the standard input with --file -");
    if (/^[^\s/]+$/.test(command) && existsSync(command))
      throw new UsageError(`${command} is a file here: judge its text with --file ${command}, or write ./${command}`);
    return command;
  }
  if (command !== undefined) throw new UsageError("give either a command or --file PATH");
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`--file ${file} cannot be read: ${messageOf(error)}`);
  }
}

function absolute(option: string, path: string): string {
  if (!path.startsWith("/")) throw new UsageError(`${option} must be an absolute path, and is ${JSON.stringify(path)}`);
  return path;
}

function variablesOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name = "", value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
      if (name === "") throw new UsageError(`--env must be NAME=VALUE, and is ${JSON.stringify(text)}`);
      return [name, value];
    }),
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function answerTo({ text, context, as_json }: Question): { readonly exit: number; readonly printed: string } {
  const { examined, not_read } = examineWithScripts(text, context);
  const { findings, commands, effect, consequences } = examined;
  const judged = findings[0]?.verdict ?? "allow";
  // What was not read may do anything.
  const verdict = judged === "allow" && not_read.length > 0 ? "ask" : judged;
  const shown = { verdict, findings, commands, effect, consequences: consequences.consequences, not_read };
  if (as_json) return { exit: EXIT[verdict], printed: JSON.stringify(shown) };
  const lines = [
    verdict,
    ...findings.map(({ code, command, reason }) => `  ${[code, command ?? ""].join("  ").trimEnd()}\n    ${reason}`),
    ...not_read.map((path) => `  not read  ${path}\n    it runs this file, which cannot be read here`),
    ...(effect === null ? [] : [`  ${effectLine(effect)}`]),
    ...shown.consequences.map(({ is, command }) => `  ${is}  ${command}`),
  ];
  return { exit: EXIT[verdict], printed: lines.join("\n") };
}

/** Scripts may run further scripts. */
const MOST_SCRIPTS = 20;

function examineWithScripts(text: string, context: ShellContext) {
  const files = new Map<string, string>();
  const missing = new Set<string>();
  for (;;) {
    const examined = examine(text, { ...context, files }, { programs: false, effect: true });
    const unread = examined.wanted.filter((path) => !files.has(path) && !missing.has(path));
    const [next] = unread;
    if (next === undefined || files.size === MOST_SCRIPTS) return { examined, not_read: [...missing, ...unread] };
    try {
      files.set(next, readFileSync(next, "utf8"));
    } catch {
      missing.add(next);
    }
  }
}

function effectLine(effect: CommandEffect): string {
  if (effect.is === "changes") return `${effect.command}: ${effect.why}`;
  return effect.is === "reads" ? "it only looks" : "what it changes is not known";
}

function main(args: readonly string[]): void {
  // The reader may have gone: the exit code is the answer then.
  process.stdout.on("error", () => undefined);
  try {
    const question = readQuestion(args);
    if (question === null) {
      process.stdout.write(USAGE);
      return;
    }
    protectPaths(question.protect);
    const { exit, printed } = answerTo(question);
    process.stdout.write(`${printed}\n`);
    process.exitCode = exit;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`orch-guard: ${error.message}\n${USAGE.split("\n", 2).join("\n")}\n`);
    process.exitCode = EXIT.usage;
  }
}

main(process.argv.slice(2));
