// Reads what a command does beyond changing something, and what it reaches, so that a human sees what an approval covers and a
// contract can ask for one without a model (D-237). Text that may not run counts as well: an answer here only adds a question.
import type { Consequence } from "../codes.ts";
import { isConnection } from "../interpreter/redirects.ts";
import type { State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { consequencesIn, consequencesOfFile, consequencesOfWrite } from "../programs/consequences.ts";
import { containersReached, hostsReached, pathsReached } from "../programs/reach.ts";
import { recordOf } from "../programs/registry.ts";
import { words } from "../words/options.ts";
import { readable } from "../words/symbols.ts";
import { type CommandEffect, commandEffect, effectReading, HARMLESS } from "./effect.ts";
import { type GuardReading, shownCommand } from "./findings.ts";

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

/** Programs that download and change this machine only, unless they publish. */
const PACKAGES = /packages$/;

const PUBLISHES = new Set(words("publish unpublish deprecate dist-tag push yank upload"));

/** A loop may reach a host more than once. */
const REPEATS = /\b(?:while|until|for|select|xargs|watch|parallel|retry)\b/;

const ACTS_ELSEWHERE_MAX_KNOWN = 20;

type Effect = ReturnType<typeof commandEffect>;

function staysHere(argv: readonly string[], state: State, effect: Effect): boolean {
  const { here } = recordOf(argv[0] ?? "") ?? {};
  const why = effect.is === "changes" ? effect.why : "";
  const reachesHost = /^sends /.test(why) || hostsReached(argv, state).length > 0;
  if (typeof here === "function") return here(argv, why, reachesHost);
  if (reachesHost) return false;
  return here === true || (PACKAGES.test(why) && !argv.some((word) => PUBLISHES.has(word)));
}

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
      const reaches =
        hostsReached(argv, state).length > 0 && !(recordOf(name)?.launches === true && effect.is === "reads");
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
