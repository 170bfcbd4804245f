// Whether a command of a step may write a file that the step runs: then that it changes is no change from outside.
import type { PastCommand, State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { matches } from "../words/glob.ts";
import { filesRunBy } from "./files-run.ts";
import { gitCommand } from "./git-runs.ts";
import { effectOfPast } from "./written-files.ts";

const TREES =
  /^(?:pull|checkout|switch|merge|rebase|reset|restore|stash|submodule|am|apply|cherry-pick|revert|clone|worktree|sparse-checkout|clean|read-tree|checkout-index)$/;
const UNPACKS = /^(?:tar|gtar|bsdtar|unzip|7z|7za|7zr|unrar|cpio|patch|svn|hg|bzr|ansible|ansible-playbook)$/;

/** Files that package managers and builds keep themselves. */
const MANAGED =
  /\/(?:go\.mod|package\.json|Cargo\.toml|composer\.json|pyproject\.toml|Gemfile|[^/]*\.(?:d|dep|deps|P)|\.?depend|\.deps\/[^/]*)$/;

export function mayHaveWritten(path: string, command: PastCommand, state: State): boolean {
  const { argv, directories } = command;
  const [name = "", ...args] = argv;
  const names = (word: string) => directories.some((cwd) => isAt(path, absolute(word, cwd)));
  if (name === ">") return args.some(names);
  if (name === "git") return TREES.test(gitCommand(argv).verb);
  if (UNPACKS.test(name)) return true;
  const effect = effectOfPast(command, state);
  if (effect === "reads") return false;
  if (typeof effect === "object" && /packages|builds/.test(effect.changes) && MANAGED.test(path)) return true;
  const { scripts, applied } = filesRunBy(argv, directories, state);
  if (scripts.includes(path) || applied.includes(path)) return false;
  const contains = (word: string) =>
    directories.some((cwd) => path.startsWith(`${absolute(word, cwd).replace(/\/$/, "")}/`));
  return args.some((word) => names(word) || (COPIES.test(name) && contains(word)) || textNames(word, path));
}

const COPIES = /^(?:cp|mv|ln|install|rsync|scp|rm|sponge)$/;

const isAt = (path: string, found: string): boolean => found === path || matches(path, found) || matches(found, path);

/** Of code, such as `python3 -c 'open("x.sh", "w")'`. */
const textNames = (word: string, path: string): boolean =>
  /[\s"'()=]/.test(word) && word.includes(path.slice(path.lastIndexOf("/") + 1));
