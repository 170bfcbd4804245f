// What `docker run` and `exec` start: the command inside, judged on the paths inside and on what is mounted there. Containers
// are remembered with their mounts, so that a later command in one of them is judged on them too.
import type { Machine, Output, Program } from "../interpreter/machine.ts";
import { deeper, entered, fork, homesOf, type Mount, type State } from "../interpreter/state.ts";
import { has, type OptionTable, optionValue, optionValues, type Parsed, parseOptions } from "../words/options.ts";
import { hasGlob, isOpen, UNKNOWN } from "../words/symbols.ts";
import { runServices } from "./compose-file.ts";
import { bound, containerState, NAMELESS } from "./container-state.ts";
import { dockerCommand } from "./docker-command.ts";

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

/** `docker run -d nginx` and `docker create nginx` print the identifier of what they made. */
export function printsIds(words: readonly string[]): boolean {
  const { verb, args } = dockerCommand(["docker", ...words]);
  if (/^(create|(volume|network) create)$/.test(verb)) return true;
  return verb === "run" && has(parseOptions(args, runTable(args), false), "d", "detach");
}

function mountsOf(parsed: Parsed, state: State): readonly Mount[] {
  return parsed.options.flatMap(({ name, value }) => {
    if (value === null) return [];
    if (name === "v" || name === "volume") {
      const [host = "", inside] = value.split(":");
      return inside === undefined ? [] : bound(host, inside, state);
    }
    if (name === "volumes-from") return state.io.containers.get(value.replace(/:.*$/, "")) ?? [];
    return name === "mount" ? bindOf(value, state) : [];
  });
}

function bindOf(value: string, state: State): readonly Mount[] {
  const fields = new Map(value.split(",").map((field) => [field.split("=")[0] ?? "", field.split("=")[1] ?? ""]));
  const host = fields.get("source") ?? fields.get("src");
  const inside = fields.get("target") ?? fields.get("dst") ?? fields.get("destination");
  return host === undefined || inside === undefined ? [] : bound(host, inside, state);
}

/** What the container sees of the host. A name that is not known may be that of any container. */
export function mountsIn(name: string, { io: { containers } }: State): readonly Mount[] {
  const known = containers.get(name);
  if (known !== undefined) return known;
  if (isOpen(name) || hasGlob(name)) return [...containers.values()].flat();
  return /^[0-9a-f]{8,64}$/.test(name) ? (containers.get(NAMELESS) ?? []) : [];
}

export function remember(name: string | null, mounts: readonly Mount[], state: State): void {
  const key = name ?? NAMELESS;
  const before = key === NAMELESS ? (state.io.containers.get(key) ?? []) : [];
  const isHeld = ({ host, inside }: Mount) => before.some((one) => one.host === host && one.inside === inside);
  const added = mounts.filter((mount) => !isHeld(mount));
  if (added.length > 0) state.io.containers = entered(state.io.containers, key, [...before, ...added]);
}

const NAMES_VOLUME = { short: "od", long: ["opt", "driver", "label", "name"] };

/** `docker volume create -o type=none -o o=bind -o device=/ everything`. */
function nameVolume(args: readonly string[], state: State): Output {
  const parsed = parseOptions(args, NAMES_VOLUME);
  const device = optionValues(parsed, "o", "opt").find((value) => value?.startsWith("device=") === true);
  const name = optionValue(parsed, "name") ?? parsed.operands[0];
  if (device !== undefined && device !== null && name !== undefined)
    state.io.volumes = entered(state.io.volumes, name, device.slice("device=".length));
  return [UNKNOWN];
}

export const runContainer: Program = (argv, state, machine) => {
  const { verb, args } = dockerCommand(argv);
  const [last = ""] = verb.split(" ").slice(-1);
  if (last === "unshare") return args.length === 0 ? [UNKNOWN] : machine.runArgv(args, fork(state));
  if (verb === "volume create") return nameVolume(args, state);
  if (verb === "rename") {
    const [from = "", to = ""] = parseOptions(args).operands;
    remember(to, state.io.containers.get(from) ?? [], state);
    return [UNKNOWN];
  }
  if (verb === "machine" && args[0] === "ssh") return runInMachine(args.slice(1), state, machine);
  if (verb.startsWith("compose ")) runServices(argv, last, state, machine);
  if (last !== "run" && last !== "exec" && last !== "create") return [UNKNOWN];
  return last === "exec" ? runWithin(args, state, machine) : runImage(verb, args, state, machine);
};

/** `podman machine ssh [NAME] COMMAND`: the first word may be either. */
function runInMachine(args: readonly string[], state: State, machine: Machine): Output {
  const { operands } = parseOptions(args, { short: "", long: ["username"] }, false);
  const command = machine.programs.isProgram(operands[0]?.split(" ", 1)[0] ?? "", state) ? operands : operands.slice(1);
  const inner = deeper(state, { location: { cwd: homesOf(state), here: false }, io: { stdin: null } });
  return command.length === 0 ? [UNKNOWN] : machine.runText(command.join(" "), inner);
}

/** `docker exec name command`. */
function runWithin(args: readonly string[], state: State, machine: Machine): Output {
  const parsed = parseOptions(args, EXEC, false);
  const [name = "", ...command] = parsed.operands;
  return inContainer({ name, command, parsed, mounts: mountsIn(name, state) }, state, machine);
}

function runImage(verb: string, args: readonly string[], state: State, machine: Machine): Output {
  const parsed = parseOptions(args, runTable(args), false);
  const entrypoint = optionValue(parsed, "entrypoint");
  const [image = "", ...words] = parsed.operands;
  const command = [...(entrypoint === null ? [] : [entrypoint]), ...words];
  const service = verb === "compose run" ? mountsIn(image, state) : [];
  const mounts = [...service, ...mountsOf(parsed, state)];
  const name = optionValue(parsed, "name");
  remember(name, mounts, state);
  const inside = { name: name ?? NAMELESS, parsed, mounts };
  const program = programOf(image);
  // What is no program is a word for the program of the image.
  if (entrypoint === null && isKnown(program, words[0], state, machine))
    inContainer({ ...inside, command: [program, ...words] }, state, machine.provedOnly());
  return inContainer({ ...inside, command }, state, machine);
}

/** The entrypoint of `docker:cli` and of `alpine/git` is named as the image is. */
const programOf = (image: string): string =>
  image
    .replace(/@.*$/, "")
    .replace(/:[^/]*$/, "")
    .replace(/^.*\//, "");

const isKnown = (program: string, first: string | undefined, state: State, { programs }: Machine): boolean =>
  first !== undefined && !isOpen(program) && programs.isProgram(program, state) && !programs.isProgram(first, state);

type InContainer = {
  readonly name: string;
  readonly command: readonly string[];
  readonly parsed: Parsed;
  readonly mounts: readonly Mount[];
};

function inContainer({ name, command, parsed, mounts }: InContainer, state: State, machine: Machine): Output {
  if (command.length === 0) return [UNKNOWN];
  const inner = containerState(state, mounts, optionValue(parsed, "w", "workdir"), name);
  const output = machine.runArgv(command, inner);
  if (inner.io.files.size > 0 && name !== NAMELESS)
    state.io.others = entered(state.io.others, `container ${name}`, inner.io.files);
  return output;
}
