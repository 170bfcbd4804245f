// Reads command lines of docker and its kind, and says what a command in a container sees: the host through mounts, the files
// that were written inside, nothing of this shell.
import { elsewhere, type Mount, type State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { parseOptions, words } from "../words/options.ts";
import { UNKNOWN } from "../words/symbols.ts";

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

/** Where the volumes with a name are kept. */
const VOLUMES = "/var/lib/docker/volumes";

/** A path of the host, or the name of a volume that is bound to one. */
export function bound(given: string, inside: string, state: State, from = state.location.cwd): readonly Mount[] {
  const host = state.io.volumes.get(given) ?? given;
  if (!/^[./~\uFDD0\uFDDA]/.test(host)) return [{ host: `${VOLUMES}/${host}`, inside: trimmed(inside) }];
  return from.map((cwd) => ({ host: absolute(host, cwd), inside: trimmed(inside) }));
}

const trimmed = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);

/** A container whose name the text does not give. */
export const NAMELESS = "";

/**
 * What a command in a container sees: the host through mounts, the files that were written inside, nothing of this shell. Inside:
 * the files that were written there, the host only through mounts, nothing of this shell.
 */
export const containerState = (
  state: State,
  mounts: readonly Mount[],
  directory: string | null = null,
  name = NAMELESS,
): State => {
  const inner = elsewhere(state, [directory ?? UNKNOWN], state.io.others.get(`container ${name}`));
  inner.location.mounts = mounts;
  return inner;
};
