// Asks about containers that could change all of this machine: with the rights of the host and its root, or from an image that the
// plan has built and that sees a protected tree.
import type { Machine } from "../../../interpreter/machine.ts";
import { textAt } from "../../../interpreter/redirects.ts";
import { entered, type Mount, type State } from "../../../interpreter/state.ts";
import { absolute, exposureOf } from "../../../paths.ts";
import { has, optionValues, type Parsed, parseOptions } from "../../../words/options.ts";
import { dockerCommand } from "./command.ts";
import { BUILD, builtFrom } from "./image-files.ts";

const SOCKET = /\/(?:docker|containerd|podman|crio)\.sock$/;

/** A shell whose commands are given later, or what the image itself starts. */
const OPEN_ENDED = /^(?:|.*\b\w*sh)$/;

export type Started = {
  readonly argv: readonly string[];
  readonly image: string;
  readonly command: readonly string[];
  readonly parsed: Parsed;
  readonly mounts: readonly Mount[];
};

export function judgeAccess(started: Started, state: State, machine: Machine): void {
  const { argv, image, command, parsed, mounts } = started;
  const isRoot = mounts.some(({ host }) => host === "/" || SOCKET.test(host));
  if (has(parsed, "privileged") && isRoot && command.length < 2 && OPEN_ENDED.test(command[0] ?? "")) {
    const reason =
      "gives a container all rights on this machine, and what runs in it is not written out; name the command";
    machine.report("ask", "dyn.program", reason, argv);
  } else if (seesProtected(mounts, state) && state.io.containers.has(keyOf(image))) askAboutImage(argv, machine);
}

export const seesProtected = (mounts: readonly Mount[], state: State): boolean =>
  mounts.some(({ host }) => exposureOf(host, state)?.certain === true);

export function askAboutImage(argv: readonly string[], machine: Machine): void {
  const reason =
    "runs an image that the plan itself builds with a protected tree of this machine; mount a directory of the project instead";
  machine.report("ask", "dyn.written_file", reason, argv);
}

/** Remembers the images that are built from a file which the commands so far wrote. */
export function rememberBuilt(argv: readonly string[], state: State, machine: Machine): void {
  const { args } = dockerCommand(argv);
  const [file] = builtFrom(argv, state);
  if (file === undefined || !state.location.cwd.some((cwd) => isWritten(absolute(file, cwd), state, machine))) return;
  for (const tag of optionValues(parseOptions(args, BUILD), "t", "tag"))
    state.io.containers = entered(state.io.containers, keyOf(tag ?? ""), []);
}

/** Kept with the containers, under a name that no container can have. */
const keyOf = (image: string): string => `image ${image.replace(/:latest$/, "")}`;

/** Whether the plan has written the file, with any text. */
export const isWritten = (path: string, state: State, machine: Machine): boolean =>
  textAt(path, state) !== undefined && !machine.isOnDisk(path, state);
