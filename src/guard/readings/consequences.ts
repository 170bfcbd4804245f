// Reads what a command does beyond changing something, and what it reaches, so that a human sees what an approval covers and a
// contract can ask for one without a model (D-237). Text that may not run counts as well: an answer here only adds a question.
import type { Consequence } from "../codes.ts";
import { isConnection } from "../interpreter/redirects.ts";
import type { State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { ACCOUNTS, SUDOERS } from "../programs/accounts.ts";
import { AWK } from "../programs/awk.ts";
import { BUILTINS } from "../programs/builtins.ts";
import {
  consequencesIn,
  consequencesOfFile,
  consequencesOfWrite,
  containersReached,
  hostsReached,
  pathsReached,
} from "../programs/consequences/reach.ts";
import { dockerCommand } from "../programs/containers.ts";
import { ARCHIVERS, COPY, DD } from "../programs/copy.ts";
import { DISK_TOOLS, FILE_SYSTEMS, PARTITIONS } from "../programs/disks.ts";
import { TEE } from "../programs/files.ts";
import { FILTERS } from "../programs/filters.ts";
import { FIND } from "../programs/find/find.ts";
import { gitCommand } from "../programs/git.ts";
import { LAUNCHERS } from "../programs/launchers.ts";
import { MACHINE_SETTINGS } from "../programs/machine-settings.ts";
import type { ProgramRecord } from "../programs/record.ts";
import { PERMISSIONS, RM, SHRED } from "../programs/rm.ts";
import { EDITORS } from "../programs/runs-texts.ts";
import { SED_RECORDS } from "../programs/sed.ts";
import { SERVICE_MANAGERS } from "../programs/services.ts";
import { TEXT_TOOLS } from "../programs/text.ts";
import { words } from "../words/options.ts";
import { readable } from "../words/symbols.ts";
import {
  type CommandEffect,
  commandEffect,
  effectReading,
  type GuardReading,
  HARMLESS,
  shownCommand,
} from "./findings.ts";

/** Sorted, each once, as people read them. `more`: how many are left out. */
type Reach = {
  readonly paths: readonly string[];
  readonly containers: readonly string[];
  readonly hosts: readonly string[];
  readonly more: number;
};

/** Each consequence with the first command that has it. */
export type CommandConsequences = {
  readonly effect: CommandEffect;
  readonly consequences: readonly { readonly is: Consequence; readonly command: string }[];
  readonly reach: Reach;
  readonly elsewhere: ActsElsewhere;
};

/** Of paths, of containers and of hosts. */
const MAX_SHOWN = 20;
/** What is not remembered is not counted either. */
const MAX_KNOWN = 1000;

export function consequencesReading(source: string): GuardReading<CommandConsequences> {
  const effect = effectReading(source);
  const elsewhere = actsElsewhereReading(source);
  const found = new Map<Consequence, string>();
  const reached = { paths: new Set<string>(), containers: new Set<string>(), hosts: new Set<string>() };
  const note = (all: readonly Consequence[], argv: readonly string[]): void => {
    for (const is of all) if (!found.has(is)) found.set(is, shownCommand(argv));
  };
  const reach = (into: Set<string>, all: readonly string[]): void => {
    for (const one of all) if (one !== "" && into.size < MAX_KNOWN) into.add(readable(one));
  };
  const changes = (paths: readonly string[], of: (path: string) => readonly Consequence[], argv: readonly string[]) => {
    const files = paths.filter((path) => !HARMLESS.test(path));
    reach(reached.paths, files);
    note(files.flatMap(of), argv);
  };
  return {
    report: (...reported) => {
      effect.report(...reported);
      elsewhere.report(...reported);
    },
    command: (argv, state, certain) => {
      effect.command(argv, state, certain);
      elsewhere.command(argv, state, certain);
      const { is, why } = commandEffect(argv, state);
      reach(reached.hosts, hostsReached(argv, state));
      reach(reached.containers, containersReached(argv));
      if (is === "reads") return;
      const all = consequencesIn(argv, state, is === "changes" ? why : null);
      note(all, argv);
      if (is === "changes" || all.length > 0) changes(pathsReached(argv, state), consequencesOfFile, argv);
    },
    write: (path, state, certain, text) => {
      effect.write(path, state, certain, text);
      elsewhere.write(path, state, certain, text);
      const [, host] = /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(path) ?? [];
      if (host !== undefined) return reach(reached.hosts, [host]);
      const paths = state.location.cwd.map((cwd) => absolute(path, cwd));
      changes(paths, (file) => consequencesOfWrite(file, state), [">", path]);
    },
    failed: (error) => {
      effect.failed(error);
      elsewhere.failed(error);
    },
    result: () => ({
      effect: effect.result(),
      consequences: [...found].map(([is, command]) => ({ is, command })),
      reach: shown(reached),
      elsewhere: elsewhere.result(),
    }),
  };
}

function shown(reached: Record<"paths" | "containers" | "hosts", ReadonlySet<string>>): Reach {
  const few = (all: ReadonlySet<string>) => [...all].sort().slice(0, MAX_SHOWN);
  const over = (all: ReadonlySet<string>) => Math.max(0, all.size - MAX_SHOWN);
  const { paths, containers, hosts } = reached;
  return {
    paths: few(paths),
    containers: few(containers),
    hosts: few(hosts),
    more: over(paths) + over(containers) + over(hosts),
  };
}

// Decides whether a command changes or may change another machine, and lists the programs with which it reaches other machines.
// If the text does not show that, orch assumes a change.

type ActsElsewhere = {
  /** Whether it changes something on another machine, or may. */
  readonly acts: boolean;
  /** The programs that it reaches others with: "" is one that the text does not show. */
  readonly programs: readonly string[];
  /** The only command that reaches another machine, where nothing else changes anything on this one. */
  readonly only: readonly string[] | null;
};

const namesIn = (...all: readonly (readonly ProgramRecord[])[]): ReadonlySet<string> =>
  new Set(all.flat().flatMap(({ names }) => words(names)));

/** What these change is on this machine, unless their words name a host. */
const LOCAL = new Set([
  ...namesIn(RM, DD, FILE_SYSTEMS, SHRED, FIND, PERMISSIONS, COPY, TEE, ARCHIVERS, PARTITIONS, SUDOERS, ACCOUNTS),
  ...namesIn(BUILTINS, FILTERS, SED_RECORDS, AWK, TEXT_TOOLS, EDITORS, DISK_TOOLS, MACHINE_SETTINGS, SERVICE_MANAGERS),
  ...words(
    "touch mkdir link mkfifo mknod split csplit rename sponge zip unzip patch gzip gunzip bzip2 xz zstd 7z cpio",
  ),
  ...words("mktemp gpg ldconfig logrotate sqlite3 duckdb dpkg rpm apt-mark install tempfile"),
]);
/** Programs that download and change this machine only, unless they publish. */
const PACKAGES = /packages$/;
const PUBLISHES = new Set(words("publish unpublish deprecate dist-tag push yank upload"));
/** These may read their commands for the other machine from a file or from standard input. */
const READS_REMOTE_COMMANDS = new Set(words("sftp psftp"));
/** Programs of the lists above whose code may reach any host. */
const REACHES_ANY = new Set(words("expect tclsh wish pwsh powershell emacs emacsclient"));
const FETCHES = new Set(words("curl wget http https xh"));
const GIT_SENDS = /^(?:push|send-email|send-pack|svn|lfs|annex|p4|subtree|submodule|)$/;
const CONTAINERS = new Set(words("docker podman nerdctl docker-compose podman-compose"));
/** What runs in the container may reach any host. */
const CONTAINERS_SEND = /\b(?:run|exec|push|login|logout)\b/;

const LAUNCHING = namesIn(LAUNCHERS);
/** A loop may reach a host more than once. */
const REPEATS = /\b(?:while|until|for|select|xargs|watch|parallel|retry)\b/;
const ACTS_ELSEWHERE_MAX_KNOWN = 20;

type Effect = ReturnType<typeof commandEffect>;

function staysHere(argv: readonly string[], state: State, effect: Effect): boolean {
  const [name = ""] = argv;
  const why = effect.is === "changes" ? effect.why : "";
  if (FETCHES.has(name)) return why === "writes files";
  if (name === "git") return why !== "" && !GIT_SENDS.test(gitCommand(argv).verb);
  if (READS_REMOTE_COMMANDS.has(name)) return isFetch(argv);
  if (REACHES_ANY.has(name)) return false;
  if (/^sends /.test(why) || hostsReached(argv, state).length > 0) return false;
  if (CONTAINERS.has(name))
    return why !== "" && !argv.includes("--push") && !CONTAINERS_SEND.test(dockerCommand(argv).verb);
  return LOCAL.has(name) || (PACKAGES.test(why) && !argv.some((word) => PUBLISHES.has(word)));
}

/** `sftp host:file .` only downloads. */
const isFetch = (argv: readonly string[]): boolean =>
  !argv.includes("-b") && argv.some((word) => /^[^-/][^/]*:./.test(word));

function actsElsewhereReading(source: string): GuardReading<ActsElsewhere> {
  const clients: (readonly string[])[] = [];
  const programs = new Set<string>();
  let acts = false;
  let changesHere = false;
  const noteUnknown = (): void => {
    acts = true;
    programs.add("");
  };
  return {
    report: noteUnknown,
    command: (argv, state, certain) => {
      const [name = ""] = argv;
      const effect = state.frame.own ? ({ is: "reads", why: "" } as const) : commandEffect(argv, state);
      const changes = effect.is === "changes" || (certain && effect.is === "unknown");
      const isHere = state.location.here;
      const sends = changes && (!isHere || !staysHere(argv, state, effect));
      acts ||= sends;
      changesHere ||= changes && isHere && !sends;
      const reaches = hostsReached(argv, state).length > 0 && !(LAUNCHING.has(name) && effect.is === "reads");
      if ((reaches || (sends && isHere)) && clients.length < ACTS_ELSEWHERE_MAX_KNOWN) {
        clients.push(argv);
        programs.add(name);
      }
    },
    write: (path, state) => {
      const opened = state.io.copies.get(path) ?? path;
      if (HARMLESS.test(opened)) return;
      if (isConnection(opened)) noteUnknown();
      else if (state.location.here) changesHere = true;
      else acts = true;
    },
    failed: noteUnknown,
    result: () => {
      const [first = null] = clients;
      const isOnly = clients.length === 1 && !programs.has("") && !changesHere && !REPEATS.test(source);
      return { acts, programs: acts ? [...programs] : [], only: acts && isOnly ? first : null };
    },
  };
}
