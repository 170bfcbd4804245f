// Programs whose output is a number, or text that is made for `eval`, whatever they find.
import type { Output, Program } from "./machine.ts";
import { optionValue, parseOptions } from "./options.ts";
import { SOME, UNKNOWN } from "./symbols.ts";

/** Numbers only: `%s` of a file is its size. */
const stat: Program = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "cf", long: ["format", "printf"] });
  const format = optionValue(parsed, "c", "f", "format", "printf");
  return [format !== null && /^(%[abBdfghiosStTuWXYZz][,.:; ]?)+$/.test(format) ? SOME : UNKNOWN];
};

/** `-o /dev/null -w '%{http_code}'` prints the status only. */
const curl: Program = ([, ...args]) => {
  const parsed = parseOptions(args, {
    short: "oXHdFuAebmwT",
    long: ["output", "write-out", "request", "header", "max-time", "data"],
  });
  const format = optionValue(parsed, "w", "write-out");
  const silent = optionValue(parsed, "o", "output") !== null;
  return [
    silent && format !== null && /^(%\{(http_code|response_code|size_\w+|time_\w+|num_\w+)\}(\\n)?)+$/.test(format)
      ? SOME
      : UNKNOWN,
  ];
};

/** Programs whose output is meant for `eval`: they print assignments and functions for a shell, nothing else. */
const SET_UP =
  /^(?:ssh-agent|gpg-agent|keychain|dircolors|lesspipe|register-python-argcomplete|brew shellenv|fnm env|mise (?:activate|env|hook-env)|direnv (?:hook|export)|(?:starship|zoxide|atuin|pyenv|rbenv|nodenv|goenv|jenv) init|thefuck --alias|opam env|conda shell\.bash|micromamba shell|asdf env|luarocks path|minikube docker-env|minikube podman-env|docker-machine env|(?:kubectl|helm|gh|docker|oc|k3d|kind|flux|argocd|npm|pip|terraform|vault|consul|nomad|glab|restic|rclone|hugo|poetry|podman|minikube|kustomize|istioctl|velero|cilium|stern|k9s) completions?)(?:\s|$)/;

/** Null when the command line is none of those. */
export const setUpText = (argv: readonly string[]): Output | null => (SET_UP.test(argv.join(" ")) ? [""] : null);

const counted: Program = ([, ...args]) => [args.some((arg) => /^(-\w*c\w*|--count)$/.test(arg)) ? SOME : UNKNOWN];

export const COUNTERS: readonly (readonly [string, Program])[] = [
  ["pgrep", counted],
  ["stat", stat],
  ["curl", curl],
];
