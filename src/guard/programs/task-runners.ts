// Holds the records of programs that run commands which a file of the project lists: `just`, `rake`, playbooks, directories of
// scripts.
import type { Output, Program } from "../interpreter/machine.ts";
import { scriptTexts } from "../interpreter/redirects.ts";
import { deeper } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { parseOptions, words } from "../words/options.ts";
import { STAR, UNKNOWN } from "../words/symbols.ts";
import { looks } from "./looks/rule.ts";
import { MAKE, MAX_LINES } from "./make.ts";
import { recipeFiles } from "./package-scripts.ts";
import type { FilesRule, ProgramRecord } from "./record.ts";

type Tasks = Pick<ProgramRecord, "files" | "runs">;

const tasksIn = (names: string): Tasks => {
  const files = (args: readonly string[]): readonly string[] => recipeFiles(args, words(names));
  return { files, runs: runTasks(files) };
};

/** Indented lines of another format, and the code in them: only what is proved counts. */
const runTasks =
  (files: FilesRule): Program =>
  ([, ...args], state, machine): Output => {
    for (const text of files(args, state).flatMap((file) => scriptTexts(file, state)))
      for (const line of text.split("\n").slice(0, MAX_LINES)) {
        const [, command = ""] =
          /^\s+(?:-\s+)?(?:(?:cmd|sh|system|(?:ansible\.builtin\.)?(?:shell|command|raw)):?\s*\(?\s*)?@?(.*)$/.exec(
            line,
          ) ?? [];
        const [, inline] = /\b(?:sh|system)\s*\(?\s*(["'][^"']*["'])/.exec(command === "" ? line : "") ?? [];
        const bare = (inline ?? command).replace(/^(["'])(.*)\1\)?$/, "$2");
        if (bare !== "") machine.provedOnly().runText(bare, deeper(state, { io: { stdin: null } }));
      }
    return [UNKNOWN];
  };

/** `ansible-playbook site.yml`: tasks for this machine, or for others. */
const playbooks: FilesRule = (args) => args.filter((arg) => /\.ya?ml$/.test(arg));

export const PLAYBOOKS: Tasks = { files: playbooks, runs: runTasks(playbooks) };

/** `run-parts DIRECTORY`: each file in it. */
const runParts: Program = ([, ...args], state, machine): Output => {
  const [directory = "."] = parseOptions(args, { short: "a", long: ["arg", "regex", "umask"] }).operands.slice(-1);
  const folders = state.location.cwd.map((cwd) => `${absolute(directory, cwd)}/`);
  for (const path of state.io.files.keys())
    if (folders.some((folder) => path.startsWith(folder) && !path.slice(folder.length).includes("/")))
      machine.runArgv([path], deeper(state));
  return [UNKNOWN];
};

const partsOf: FilesRule = (args) =>
  parseOptions(args, { short: "a", long: ["arg", "regex", "umask"] })
    .operands.slice(-1)
    .map((directory) => `${directory}/${STAR}`);

export const TASK_RUNNERS: readonly ProgramRecord[] = [
  ...MAKE,
  { names: "just", ...tasksIn("justfile Justfile .justfile") },
  { names: "task", ...tasksIn("Taskfile.yml Taskfile.yaml taskfile.yml") },
  { names: "rake", ...tasksIn("Rakefile rakefile Rakefile.rb") },
  { names: "invoke fab doit", ...tasksIn("tasks.py fabfile.py dodo.py") },
  { names: "run-parts", runs: runParts, files: partsOf, effect: looks("--test, --list") },
];
