// Programs that print assignments and functions for a shell, to be given to `eval`, and nothing else.
import type { ProgramRecord } from "./record.ts";

/** The subcommands under which many programs print their completion. */
export const COMPLETIONS = "completion completions";

export const SHELL_SETUP: readonly ProgramRecord[] = [
  { names: "dircolors lesspipe register-python-argcomplete", printsSetup: true },
  { names: "fnm opam asdf", printsSetup: "env" },
  { names: "mise", printsSetup: "activate env hook-env" },
  { names: "direnv", printsSetup: "hook export" },
  { names: "starship zoxide atuin pyenv rbenv nodenv goenv jenv", printsSetup: "init" },
  { names: "thefuck", printsSetup: "--alias" },
  { names: "micromamba", printsSetup: "shell" },
  { names: "luarocks", printsSetup: "path" },
  { names: "hugo istioctl velero cilium", printsSetup: COMPLETIONS },
];
