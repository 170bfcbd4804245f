// Decides whether a command changes or may change another machine, and lists the programs with which it reaches other machines.
// If the text does not show that, orch assumes a change.
import { isConnection } from "../interpreter/redirects.ts";
import type { State } from "../interpreter/state.ts";
import { ACCOUNTS, SUDOERS } from "../programs/accounts.ts";
import { AWK } from "../programs/awk.ts";
import { BUILTINS } from "../programs/builtins.ts";
import { hostsReached } from "../programs/consequences/reach.ts";
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
import { commandEffect, HARMLESS } from "./effect.ts";
import type { GuardReading } from "./findings.ts";

export type ActsElsewhere = {
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

export function actsElsewhereReading(source: string): GuardReading<ActsElsewhere> {
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
