// git, and any spelling that git itself takes for `reset --hard`.
import type { Program } from "../interpreter/machine.ts";
import { hasLong, parseOptions } from "../words/options.ts";
import { isOpen, isUnknown, UNKNOWN } from "../words/symbols.ts";
import { gitEffect } from "./git-effect.ts";
import { gitCommand, hookFiles, runGit } from "./git-runs.ts";
import { countsCommits } from "./prints-numbers.ts";
import type { BlockRule, ProgramRecord } from "./record.ts";

const MODES = ["soft", "mixed", "merge", "keep"];

const judgeReset: BlockRule = (argv, _state, report) => {
  const { verb, args } = gitCommand(argv);
  if (verb !== "reset" && argv.includes("reset") && argv.some((word) => /^--h/.test(word)) && argv.some(isOpen))
    report("ask", "dyn.operand", "an unknown option may make this a hard reset; write the options out", argv);
  if (isUnknown(verb)) {
    report("ask", "dyn.operand", "the git subcommand cannot be determined from the text; write it out", argv);
    if (verb !== UNKNOWN) return;
  } else if (verb !== "reset") return;
  const parsed = parseOptions(args);
  if (parsed.options.some(({ name }) => name === "help")) return;
  if (hasLong(parsed, "hard", 1) && args.some((arg) => /^--h/.test(arg))) {
    if (verb !== "reset") return;
    const reason = "a hard reset throws uncommitted work away; use git stash, or git reset --keep";
    report("block", "git.reset_hard", reason, argv);
  } else if (
    args.some((arg) => arg.startsWith(UNKNOWN) || (arg.startsWith("-") && isOpen(arg))) &&
    !parsed.options.some(({ name }) => MODES.includes(name))
  ) {
    report("ask", "dyn.operand", "the mode of this reset cannot be determined from the text; write it out", argv);
  }
};

/** `git-reset --hard`, a program in git's own directory. */
const runDashed: Program = ([program = "", ...args], state, machine) =>
  machine.runArgv(["git", program.slice("git-".length), ...args], state);

export const GIT: readonly ProgramRecord[] = [
  {
    names: "git",
    runs: runGit,
    armed: hookFiles,
    numbers: countsCommits,
    effect: gitEffect,
    alwaysBlocked: judgeReset,
    suspected: "anywhere",
    takesData: true,
  },
  { names: "hub", runs: runGit, alwaysBlocked: judgeReset },
];

export const DASHED_GIT: readonly ProgramRecord[] = [
  { names: "git-reset", runs: runDashed, suspected: "anywhere" },
  { names: "git-submodule git-rebase git-bisect", runs: runDashed },
];
