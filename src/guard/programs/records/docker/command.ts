// Reads command lines of docker and its kind.
import { optionTable, optionValues, parseOptions, words } from "../../../words/options.ts";
import type { WordsRule } from "../../record.ts";

const GLOBAL = {
  short: "cHln",
  long: words("context host log-level config tlscacert tlscert tlskey connection url root runroot namespace address"),
};

const GROUPS = new Set(
  words("system container image volume network builder compose buildx context stack service swarm"),
);

/** Options between `compose` and its verb that take a value. */
export const COMPOSE = {
  short: "fp",
  long: ["file", "project-name", "project-directory", "profile", "env-file", "ansi", "progress", "parallel"],
};

/** `verb` is `system prune`, `compose up`, `run`; `container run` is `run`. */
type DockerCommand = { readonly verb: string; readonly args: readonly string[] };

/** The command line of docker and its kind. */
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

/** `system prune -a` as it is after the options of docker. */
export const wordsOfDocker: WordsRule = (argv) => {
  const { verb, args } = dockerCommand(argv);
  return [...words(verb), ...args];
};

const MANY = /^(?:restart|stop|start|kill|rm|remove|pause|unpause|update|wait|inspect|attach|init|stats)$/;

const ONE = /^(?:exec|logs|top|port|diff|export|commit|rename)$/;

const COMPOSE_VERB = /^(?:up|down|start|stop|restart|kill|rm|pause|unpause|pull|build|logs|top|create|scale|ps)$/;

const DOCKER_VALUED = optionTable(
  "t e u w n s time signal env user workdir tail since until timeout scale f l d c compose-file format",
);

/** Of these `-f`, `-l` and `-d` have no value. */
const FLAGS_ONLY = optionTable("t e u w n s time signal env user workdir tail since until timeout scale");

const KINDS = /^(?:volume|network|stack|service|pod|machine|secret|config)$/;

/** Containers, services of compose, volumes and networks with their kind. */
export const dockerResources: WordsRule = (argv) => {
  const { verb, args } = dockerCommand(argv);
  const [first = "", second = ""] = verb.split(" ");
  if (first === "compose") {
    const { operands } = parseOptions(args, FLAGS_ONLY, !/^(?:exec|run)$/.test(second));
    if (/^(?:exec|run)$/.test(second)) return operands.slice(0, 1);
    if (!COMPOSE_VERB.test(second)) return [];
    return operands.length === 0 ? ["<all services>"] : operands.map((word) => word.replace(/=\d+$/, ""));
  }
  const group = KINDS.test(first) && second === "" ? [first, ...args] : [first, second];
  if (KINDS.test(group[0] ?? "")) {
    const rest = second === "" ? args.slice(1) : args;
    if (/^(?:ls|list|ps|prune|create)$/.test(group[1] ?? "")) return [];
    const table = /^(?:rm|remove)$/.test(group[1] ?? "") ? FLAGS_ONLY : DOCKER_VALUED;
    return parseOptions(rest, table).operands.map((word) => `${group[0]} ${word.replace(/=\d+$/, "")}`);
  }
  if (first === "inspect" || first === "stats") return parseOptions(args, DOCKER_VALUED).operands;
  if (MANY.test(first)) return parseOptions(args, FLAGS_ONLY).operands;
  if (ONE.test(first)) return parseOptions(args, FLAGS_ONLY, false).operands.slice(0, 1);
  if (first === "cp") return args.flatMap((word) => /^([\w.-]+):/.exec(word)?.[1] ?? []);
  return first === "run" || first === "create"
    ? optionValues(parseOptions(args, optionTable("name"), false), "name").flatMap((name) => name ?? [])
    : [];
};
