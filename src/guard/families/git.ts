// Family `git`: any spelling that git itself takes for `reset --hard` (always blocked, spec section 5).
import { gitCommand } from "../shell/git-command.ts";
import { hasLong, parseOptions } from "../shell/options.ts";
import { isOpen, isUnknown, UNKNOWN } from "../shell/symbols.ts";
import type { Judge } from "./rm.ts";

const MODES = ["soft", "mixed", "merge", "keep"];

const git: Judge = (argv, _state, report) => {
  const { verb, args } = gitCommand(argv);
  if (verb !== "reset" && argv.includes("reset") && argv.some((word) => /^--h/.test(word)) && argv.some(isOpen))
    report("ask", "dyn.operand", "an unknown option may make this a hard reset; write the options out", argv);
  if (isUnknown(verb)) {
    report("ask", "dyn.operand", "the git subcommand cannot be told from the text; write it out", argv);
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
    report("ask", "dyn.operand", "the mode of this reset cannot be told from the text; write it out", argv);
  }
};

export const GIT_RESET: readonly (readonly [string, Judge])[] = [
  ["git", git],
  ["hub", git],
];
