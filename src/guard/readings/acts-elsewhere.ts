// Decides whether a command changes or may change another machine, and lists the programs with which it reaches other machines.
// If the text does not show that, orch assumes a change.
import { isConnection } from "../interpreter/redirects.ts";
import type { State } from "../interpreter/state.ts";
import { hostsReached } from "../programs/reach.ts";
import { recordOf } from "../programs/registry.ts";
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
