// Notes which files one interpretation runs, reads and may write.
import type { Load, Machine, Place } from "./machine.ts";
import { textAt } from "./redirects.ts";
import type { PastCommand, State } from "./state.ts";

/** What one interpretation finds out about files, shared by all its machines. */
export type Run = Pick<Machine, "past" | "running" | "scripts"> & {
  readonly wanted: Set<string>;
  readonly held: Set<string>;
  readonly applied: Set<string>;
  readonly loads: Load[];
  readonly uncovered: Set<string>;
  /** Commands that may write a file, each once. */
  readonly writers: Map<string, PastCommand>;
  readonly place: Place;
  readonly files: State["io"]["files"];
  /** Texts of files as they were read before the plan. */
  readonly on_disk: ReadonlyMap<string, string> | undefined;
  /** The targets of those that are symbolic links. */
  readonly targets: ReadonlyMap<string, string> | undefined;
};

type Noting = Pick<
  Machine,
  "runsFile" | "runsMatching" | "applies" | "loads" | "isOnDisk" | "linkTarget" | "cannotFollow"
>;

export const filesOf = (run: Run): Noting => ({
  runsFile: (path, known) => {
    if (known === undefined) run.wanted.add(path);
    else if (run.files.get(path) === known) run.held.add(path);
  },
  runsMatching: (pattern) => void run.wanted.add(pattern),
  applies: (path) => void run.applied.add(path),
  loads: (load) => void run.loads.push(load),
  isOnDisk: (path, { io }) => {
    const text = run.on_disk?.get(path);
    return text !== undefined && io.files.get(path)?.[0] === text;
  },
  linkTarget: (path) => run.targets?.get(path) ?? path,
  cannotFollow: (what) => void run.uncovered.add(what),
});

const MAX_WRITERS = 4_096;

/** Of this machine only. */
export function noteWriter(argv: readonly string[], { location }: State, run: Run, origin: string | null): void {
  if (!location.here) return;
  const { cwd: directories } = location;
  const key = [...argv, "", ...directories].join("\0");
  if (run.writers.size < MAX_WRITERS && !run.writers.has(key))
    run.writers.set(key, { argv, directories, stdin: null, ran: new Set(), origin });
}

/** `bash -c "$(cat x.sh)"`: text of a file that was read before is run. Of unknown text, each of these files may be a part. */
export function runsWhatWasRead(text: string, isOpen: boolean, state: State, machine: Machine): void {
  for (const path of state.io.reads) {
    const known = textAt(path, state);
    if (isOpen ? true : known?.some((one) => sharesLine(one, text))) machine.runsFile(path, known);
  }
}

const sharesLine = (file: string, text: string): boolean =>
  (file.trim() !== "" && text.includes(file.trim())) ||
  file.split("\n").some((line) => line.trim().length >= MIN_LINE && text.includes(line.trim()));

const MIN_LINE = 3;
