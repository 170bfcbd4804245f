// The command line of docker and its kind.
import { parseOptions } from "../words/options.ts";

const GLOBAL = {
  short: "cHln",
  long: "context host log-level config tlscacert tlscert tlskey connection url root runroot namespace address".split(
    " ",
  ),
};

const GROUPS = new Set(
  "system container image volume network builder compose buildx context stack service swarm".split(" "),
);

/** Options between `compose` and its verb that take a value. */
export const COMPOSE = {
  short: "fp",
  long: ["file", "project-name", "project-directory", "profile", "env-file", "ansi", "progress", "parallel"],
};

/** `verb` is `system prune`, `compose up`, `run`; `container run` is `run`. */
type DockerCommand = { readonly verb: string; readonly args: readonly string[] };

export function dockerCommand(argv: readonly string[]): DockerCommand {
  // Some of its kind pass over a dash alone.
  const words = argv.slice(argv[1] === "-" ? 2 : 1);
  const [first = "", ...rest] = parseOptions(words, GLOBAL, false).operands;
  if (!GROUPS.has(first)) return { verb: first, args: rest };
  const [second = "", ...args] = first === "compose" ? parseOptions(rest, COMPOSE, false).operands : rest;
  return { verb: first === "container" ? second : `${first} ${second}`, args };
}

/** `docker-compose up` is `docker compose up`. */
export const composeCommand = (argv: readonly string[]): readonly string[] => ["docker", "compose", ...argv.slice(1)];
