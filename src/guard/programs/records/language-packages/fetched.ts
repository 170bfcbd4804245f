// Says which words of package managers name code that is in no registry: an address, an archive, a file of the plan.
import { optionTable, parseOptions } from "../../../words/options.ts";
import { STAR } from "../../../words/symbols.ts";
import type { Applied, AppliesRule } from "../../record.ts";

/** A package that is none of a registry: an address, an archive, a directory. */
export const FETCHED =
  /:\/\/|^(?:git@|git\+|github:|gitlab:|bitbucket:|gist:)|@\s*git\+|^\/dev\/|\.(?:tgz|tar\.gz|zip|whl|gem)$/;

const INSTALLED = "(?:install|i|add|in|wheel|download|sync|inject|upgrade|update)";

export const PIP_VALUED =
  "i index-url extra-index-url f find-links t target prefix root proxy cert cache-dir log timeout python p";

/** A list of packages may have an address in it. */
const LISTS_ADDRESSES =
  /^\s*(?!#|(?:-i|--(?:extra-)?index-url|--find-links|--trusted-host)\b)(?:-e|--editable|[^#\n]*(?::\/\/|git@))/m;

export const PIP_OBEYS: readonly Applied[] = [
  {
    when: new RegExp(`^(?:(?:pip|tool)\\s+)?${INSTALLED}(?:\\s|$)`),
    options: "e editable",
    valued: `${PIP_VALUED} r requirement c constraint`,
    operands: FETCHED,
  },
  {
    when: new RegExp(`^(?:pip\\s+)?${INSTALLED}(?:\\s|$)`),
    options: "r requirement requirements c constraint",
    valued: PIP_VALUED,
    holds: LISTS_ADDRESSES,
  },
];

/** npm takes `user/name` for a repository of a forge. */
const FORGE = /^[A-Za-z][\w-]*\/[\w.-]+(?:#\S*)?$/;

const FETCHED_OR_FORGE = new RegExp(`${FETCHED.source}|${FORGE.source}`);

/** `npx x`, `uvx x`: the first word is the package, and those after it are its own. */
export const UVX_OBEYS: Applied = {
  options: "from with w p package",
  valued: "python index index-url call c",
  operands: "first",
  stops: true,
  form: FETCHED_OR_FORGE,
  forge: FORGE,
};

const NODE_VALUED = "prefix C dir cwd w workspace registry filter F tag";

export const NODE_OBEYS: readonly Applied[] = [
  {
    when: /^(?:i|in|install|add|update|up|link|global add)(?:\s|$)/,
    valued: NODE_VALUED,
    skip: 1,
    operands: FETCHED_OR_FORGE,
    forge: FORGE,
  },
  {
    when: /^(?:exec|x|dlx|create|init)\s/,
    options: "package",
    valued: NODE_VALUED,
    operands: "second",
    form: FETCHED_OR_FORGE,
    forge: FORGE,
  },
];

export const COMPILES = /^(?:b|build|c|check|r|run|t|test|bench|clippy|doc|install)(?:\s|$)/;

/** `go run example.com/x@latest`, `go run .`, `go test ./...`. */
export const goRuns: AppliesRule = ([, verb = "", ...args]) => {
  if (!/^(?:run|test|generate|tool)$/.test(verb)) return [];
  const { operands } = parseOptions(
    args,
    optionTable("C exec mod modfile tags ldflags gcflags run bench count timeout o"),
    verb !== "run",
  );
  const given = verb === "run" ? operands.slice(0, 1) : operands;
  return (given.length === 0 ? ["."] : given).flatMap((word) =>
    /@/.test(word)
      ? [`https://${word}`]
      : /\.go$/.test(word)
        ? [word]
        : [`${word.replace(/\/?\.\.\.$/, "")}/${STAR}.go`],
  );
};
