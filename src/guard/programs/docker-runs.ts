// The command line of docker and its kind, and what `run` and `exec` start: the command inside, judged on the paths inside
// and on what is mounted there.
import type { Program } from "../interpreter/machine.ts";
import { elsewhere, fork, type Mount, type State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { type OptionTable, optionValue, type Parsed, parseOptions } from "../words/options.ts";
import { UNKNOWN } from "../words/symbols.ts";

const GLOBAL = {
  short: "cHl",
  long: "context host log-level config tlscacert tlscert tlskey connection url root runroot namespace address".split(
    " ",
  ),
};

const GROUPS = new Set(
  "system container image volume network builder compose buildx context stack service swarm".split(" "),
);

const COMPOSE = {
  short: "fp",
  long: ["file", "project-name", "project-directory", "profile", "env-file", "ansi", "progress", "parallel"],
};

/** `verb` is `system prune`, `compose up`, `run`; `container run` is `run`. */
type DockerCommand = { readonly verb: string; readonly args: readonly string[] };

export function dockerCommand(argv: readonly string[]): DockerCommand {
  const [first = "", ...rest] = parseOptions(argv.slice(1), GLOBAL, false).operands;
  if (!GROUPS.has(first)) return { verb: first, args: rest };
  const words = first === "compose" ? parseOptions(rest, COMPOSE, false).operands : rest;
  const [second = "", ...args] = words;
  return { verb: first === "container" ? second : `${first} ${second}`, args };
}

/** `docker-compose up` is `docker compose up`. */
export const composeCommand = (argv: readonly string[]): readonly string[] => ["docker", "compose", ...argv.slice(1)];

const EXEC: OptionTable = { short: "euw", long: ["env", "env-file", "user", "workdir", "detach-keys", "index"] };

const RUN_FLAGS = new Set(
  "detach interactive tty rm init privileged read-only publish-all no-healthcheck oom-kill-disable quiet help no-deps service-ports use-aliases build remove-orphans replace".split(
    " ",
  ),
);

/** Every long option of `run` that is not a plain flag takes a value. */
function runTable(args: readonly string[]): OptionTable {
  const long = args
    .filter((arg) => arg.startsWith("--"))
    .map((arg) => arg.slice(2))
    .filter((name) => !RUN_FLAGS.has(name));
  return { short: "aceghlmpuvw", long };
}

function mountsOf(parsed: Parsed, state: State): readonly Mount[] {
  return parsed.options.flatMap(({ name, value }) => {
    if (value === null) return [];
    if (name === "v" || name === "volume") {
      const [host = "", inside] = value.split(":");
      if (inside === undefined || !/^[./~\uFDD0]/.test(host)) return [];
      return state.location.cwd.map((cwd) => ({ host: absolute(host, cwd), inside: trimmed(inside) }));
    }
    return name === "mount" ? bindOf(value) : [];
  });
}

const trimmed = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);

function bindOf(value: string): readonly Mount[] {
  const fields = new Map(value.split(",").map((field) => [field.split("=")[0] ?? "", field.split("=")[1] ?? ""]));
  const host = fields.get("source") ?? fields.get("src");
  const inside = fields.get("target") ?? fields.get("dst") ?? fields.get("destination");
  return host === undefined || inside === undefined ? [] : [{ host, inside: trimmed(inside) }];
}

export const runContainer: Program = (argv, state, machine) => {
  const { verb, args } = dockerCommand(argv);
  const [last = ""] = verb.split(" ").slice(-1);
  if (last !== "run" && last !== "exec" && last !== "create") return [UNKNOWN];
  const parsed = parseOptions(args, last === "exec" ? EXEC : runTable(args), false);
  const entrypoint = optionValue(parsed, "entrypoint");
  const command = [...(entrypoint === null ? [] : [entrypoint]), ...parsed.operands.slice(1)];
  const directory = optionValue(parsed, "w", "workdir") ?? UNKNOWN;
  const inner = fork(state, {
    location: { cwd: [directory], mounts: mountsOf(parsed, state) },
    bindings: { aliases: new Map(), functions: new Map(), sealed: false, ...elsewhere(state) },
    io: { files: new Map() },
  });
  return command.length === 0 ? [UNKNOWN] : machine.runArgv(command, inner);
};
