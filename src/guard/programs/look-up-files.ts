// Asks about the files that a command runs, before it runs them.
import type { Machine } from "../interpreter/machine.ts";
import { scriptTexts, textAt } from "../interpreter/redirects.ts";
import { homesOf, type PastCommand, type State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { matches } from "../words/glob.ts";
import { words } from "../words/options.ts";
import { hasGlob, isAnything, isForeign, isOpen, readable } from "../words/symbols.ts";
import { filesRunBy, inputRunBy, type ObeyedFile } from "./files-run.ts";
import { recordOf } from "./registry.ts";
import { originOf } from "./rules/elsewhere.ts";
import { mayWrite, unpackerOf, writerOf } from "./written-files.ts";

/** Reports a question for each file that the plan wrote with an unknown text and then runs. Requests the texts of the other files. */
export function lookUpFiles(argv: readonly string[], program: string, state: State, machine: Machine): () => void {
  const { past } = machine;
  const { scripts, applied, unknown, remote, armed, obeyed } = filesRunBy(argv, state.location.cwd, state, program);
  const { here } = state.location;
  if (here && unknown.length > 0) {
    machine.cannotFollow(untold(argv));
    // Its name may be in a file that was read before.
    for (const read of state.io.reads) machine.runsFile(read, textAt(read, state));
    askAboutUntold(unknown, [program, ...argv.slice(1)], state, machine);
  }
  const unfollowed = here ? recordOf(argv[0] ?? "")?.unfollowed?.(argv, state) : null;
  if (typeof unfollowed === "string") machine.cannotFollow(unfollowed);
  for (const url of remote) machine.cannotFollow(`what ${readable(url)} holds is not covered`);
  for (const path of [...scripts.filter(hasGlob), ...(here ? applied.filter(hasGlob) : [])])
    matchingFiles(path, state, machine);
  for (const path of readAsProgram(argv, state)) {
    if (hasGlob(path)) matchingFiles(path, state, machine);
    else machine.runsFile(path, textAt(path, state));
  }
  for (const path of here ? applied : []) {
    machine.applies(path);
    const known = textAt(path, state);
    if (known !== undefined) machine.runsFile(path, known);
  }
  for (const path of scripts.filter((one) => !hasGlob(one))) {
    const source = originOf(path, state);
    const known = scriptTexts(path, state).length > 0;
    if (here && !known) for (const read of state.io.reads) if (hasGlob(read)) machine.runsFile(read, undefined);
    if (here) noteWhereNamed(path, state, machine);
    else if (!known && source === path)
      machine.cannotFollow(`${readable(path)} of another machine or container is not covered`);
    const writer =
      writerOf(source, past, state) ??
      (known ? null : (unpackerOf(source, past, state) ?? unpackerOf(path, past, state)));
    if (writer !== null) {
      askAbout(path, writer, argv, machine);
      // `cat x.sh > y.sh; bash y.sh`: it may hold what was read before.
      for (const read of state.io.reads) machine.runsFile(read, textAt(read, state));
    } else if (here) {
      machine.runsFile(source, known ? textAt(source, state) : undefined);
      // `rsync -a new/ live/ && bash live/x.sh`: without new/x.sh, bash runs the live/x.sh from before.
      if (source !== path && textAt(source, state) === undefined) machine.runsFile(path, textAt(path, state));
      // `sed s/a/b/ x.sh > y.sh; bash y.sh`: y.sh depends on x.sh.
      if (known && !machine.isOnDisk(source, state)) noteSourceFiles(state, machine);
    }
    for (const one of machine.running) one.ran.add(source);
  }
  for (const path of past.length === 0 ? [] : [...armed, ...placesOf(program, state, past)]) {
    const writer = writerOf(originOf(path, state), past, state);
    if (writer !== null) askAbout(path, writer, argv, machine);
    for (const one of machine.running) one.ran.add(path);
  }
  for (const file of obeyed.files) {
    askAboutObeyed(file, argv, state, machine);
    for (const one of machine.running) one.ran.add(file.path);
  }
  if (obeyed.addresses.length > 0)
    machine.report("ask", "dyn.pipe_to_shell", `runs code from ${readable(obeyed.addresses[0] ?? "")}; ${FETCH}`, argv);
  // What a function writes is written by its own commands.
  if (!mayWrite(argv) || (program === argv[0] && state.bindings.functions.has(program))) return NOTHING;
  const { cwd: directories } = state.location;
  const one = {
    argv,
    directories,
    stdin: state.io.stdin,
    ran: new Set([...scripts, ...armed, ...obeyed.files.map(({ path }) => path)]),
    origin: machine.origin,
  };
  machine.running.push(one);
  return () => {
    machine.running.pop();
    remember(one, machine);
  };
}

/** `curl -o "$t" …; sh "$t"`: files by the same unknown name. Of an archive or a clone, those that a word names. */
export function askAboutUntold(
  paths: readonly string[],
  argv: readonly string[],
  state: State,
  machine: Machine,
): void {
  const named = new Set(argv.flatMap((word) => state.location.cwd.map((cwd) => absolute(word, cwd))));
  for (const path of paths) {
    const unpacker = named.has(path) ? unpackerOf(path, machine.past, state) : null;
    const writer = writerOf(path, machine.past, state) ?? unpacker;
    if (writer !== null && !(isAnything(path) && takesForAddress(writer))) askAbout(path, writer, argv, machine);
  }
}

/** `curl "$url"`: an unknown word that no option names as the file is the address. */
const takesForAddress = ({ argv: [name = "", ...args] }: PastCommand): boolean =>
  recordOf(name)?.fetches === "its address" &&
  !args.some((arg, at) => isOpen(arg) && /^-\w*[oO]$|^--output/.test(args[at - 1] ?? ""));

function noteSourceFiles(state: State, machine: Machine): void {
  for (const read of state.io.reads) if (machine.isOnDisk(read, state)) machine.runsFile(read, textAt(read, state));
}

/** `mapfile -t A < list; bash "${A[0]}"`: a file that was read before names it. */
function noteWhereNamed(path: string, state: State, machine: Machine): void {
  const name = path.slice(path.lastIndexOf("/") + 1);
  for (const read of state.io.reads) {
    const known = textAt(read, state);
    if (read !== path && known?.some((text) => text.split(/\s+/).some((word) => word.endsWith(name))) === true)
      machine.runsFile(read, known);
  }
}

/** What a program reads from a file on standard input and does: `bash < x.sh`, `cat x.sh | ssh nas bash`. */
function readAsProgram(argv: readonly string[], { io: { input, sources } }: State): readonly string[] {
  if (input.length + sources.length === 0) return [];
  return { all: [...input, ...sources], redirected: input, none: [] }[inputRunBy(argv)];
}

const FETCH = "take it from a registry, or fetch it in a step, read it, and have this run approved";

/** What the plan wrote, in a language that the guard does not read. */
function askAboutObeyed({ path, holds }: ObeyedFile, argv: readonly string[], state: State, machine: Machine): void {
  const written = hasGlob(path)
    ? [...state.io.files.keys(), ...fetchedBy(machine.past)].filter((file) => matches(path, file))
    : [path];
  const isNamed = (one: string) =>
    state.location.cwd.some((cwd) => argv.some((word) => absolute(word, cwd) === one)) &&
    unpackerOf(one, machine.past, state) !== null;
  const file = written.find((one) => isOwn(one, holds, state, machine) || isNamed(one));
  if (file === undefined) return;
  const reason = `${readable(file)} was written by the plan itself, and orch does not read what ${readable(argv[0] ?? "")} runs of it; write the commands out in a step, or have this run approved`;
  machine.report("ask", "dyn.written_file", reason, argv);
}

/** Where a download may have put a file. */
const fetchedBy = (past: readonly PastCommand[]): readonly string[] =>
  past
    .filter(({ argv: [name = ""] }) => recordOf(name)?.fetches !== undefined || recordOf(name)?.downloads !== undefined)
    .flatMap(({ argv, directories }) =>
      argv.slice(1).flatMap((word) => {
        const file = /^\w+:\/\//.test(word) ? word.replace(/[?#].*$/, "").replace(/^.*\//, "") : word;
        return directories.map((cwd) => absolute(file, cwd));
      }),
    );

function isOwn(file: string, holds: RegExp | undefined, state: State, machine: Machine): boolean {
  if (file === "/dev/stdin") {
    const given = state.io.stdin ?? [];
    return given.some(isForeign) || given.some((text) => (holds ?? /\S/).test(text));
  }
  const texts = textAt(file, state);
  if (texts !== undefined && !texts.some((text) => isAnything(text) || isForeign(text)))
    return !machine.isOnDisk(file, state) && texts.some((text) => (holds ?? /\S/).test(text));
  const writer = writerOf(file, machine.past, state);
  if (writer === null) return texts !== undefined;
  // An edit adds no more than its own words.
  const { downloads, fetches } = recordOf(writer.argv[0] ?? "") ?? {};
  return downloads !== undefined || fetches !== undefined || (holds ?? /\S/).test(writer.argv.join("\n"));
}

const untold = (argv: readonly string[]): string =>
  `which file \`${readable(argv.join(" "))}\` runs does not follow from the text, so it is not covered`;

const MAX_MATCHING = 32;

/** All of them are judged, and new ones are a change. */
function matchingFiles(pattern: string, state: State, machine: Machine): void {
  if (!state.location.here) return;
  machine.runsMatching(pattern);
  const known = [...state.io.files].filter(([path]) => matches(pattern, path));
  for (const [path, texts] of known) machine.runsFile(path, texts);
  if (known.length > MAX_MATCHING)
    machine.report("ask", "cap.count", `more than ${MAX_MATCHING} files match ${readable(pattern)}; run fewer at once`);
}

const NOTHING = (): void => undefined;

function askAbout(
  path: string,
  { argv: writer, origin }: PastCommand,
  argv: readonly string[],
  machine: Machine,
): void {
  const by = `${origin === null ? "" : `${origin}, `}${readable(writer.join(" ")).slice(0, 200)}`;
  const reason = `${readable(path)} was written by the plan itself (${by}), and its text is not known; write the script out in a step, or have this run approved`;
  machine.report("ask", "dyn.written_file", reason, argv);
}

/** Directories that a shell finds programs in, besides those of the home. */
const PATH_DIRECTORIES = words("/usr/local/sbin /usr/local/bin /usr/sbin /usr/bin /sbin /bin /snap/bin /opt/bin");

export const programPaths = (name: string, state: State): readonly string[] => [
  ...PATH_DIRECTORIES.map((directory) => `${directory}/${name}`),
  ...homesOf(state).flatMap((home) => [`${home}/bin/${name}`, `${home}/.local/bin/${name}`]),
];

/** Places of a program that is found by its name, where a command before this one has put it. */
function placesOf(name: string, state: State, past: readonly PastCommand[]): readonly string[] {
  if (name.includes("/")) return [];
  const named = indexOf(past).placed.get(name) ?? [];
  const copied =
    state.io.copies.size === 0 ? [] : programPaths(name, state).filter((path) => state.io.copies.has(path));
  return [...new Set([...named, ...copied])];
}

/** Of a list of past commands, which only grows: `said` names each once, `placed` are paths that end in `bin/name`, by the name. */
type Index = { seen: number; readonly said: Set<string>; readonly placed: Map<string, string[]> };

const INDEXES = new WeakMap<readonly PastCommand[], Index>();

function indexOf(past: readonly PastCommand[]): Index {
  const index = INDEXES.get(past) ?? { seen: 0, said: new Set(), placed: new Map<string, string[]>() };
  INDEXES.set(past, index);
  for (; index.seen < past.length; index.seen += 1)
    for (const word of past[index.seen]?.argv ?? []) {
      const slash = word.lastIndexOf("/");
      if (!word.slice(0, Math.max(0, slash)).endsWith("bin")) continue;
      const name = word.slice(slash + 1);
      index.placed.set(name, [...(index.placed.get(name) ?? []), word.slice(word.indexOf("/"))]);
    }
  return index;
}

/** A command that is run again and again is remembered once. */
function remember(one: PastCommand, { past, tick }: Machine): void {
  const said = [one.argv, one.directories, one.stdin ?? [], [...one.ran]].map((list) => list.join("\0")).join("\n");
  const index = indexOf(past);
  if (index.said.has(said)) return;
  tick(said.length / 256);
  index.said.add(said);
  past.push(one);
}
