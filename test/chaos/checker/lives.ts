// A task is taken from a server only when that server has ended, has given it back, was asked to leave, or could not have renewed its lease.
// Who lived when is known from outside: from who started, killed, froze and cut off the servers.
import type { Entry } from "./history.ts";
import { type Breach, Claim, Report } from "./rules.ts";

/** Times are milliseconds since 1970 by the clock of the database. */
type Span = { readonly from: number; readonly to: number };
export type Life = Span & {
  readonly name: string;
  /** It may have ended since then: a kill has its effect before anyone sees it. */
  readonly may_end: number;
  /** It was asked to leave then: from then on it gives back what is between two steps. */
  readonly leaves: number;
  /** As the claims name it: the owner contains it between two slashes. */
  readonly pid: number;
  /** While it was frozen, cut off from the database, or asked to stop. */
  readonly troubles: readonly Span[];
};

/** An entry with the time of its commit. */
export type Committed = Entry & { readonly committed: number };

/** A lease, and once more the time that may pass until a sweep finds that it is over. */
const AFTER_TROUBLE_MS = 70_000;

export function lifeBreaches(rows: readonly Committed[], lives: readonly Life[]): Breach[] {
  const owners = new Map<string, string>();
  const known = new Map<string, Life>();
  /** The threads of which a step runs. */
  const stepping = new Set<string>();
  return rows.flatMap(({ kind, thread_id, seq, body, committed }) => {
    if (kind === "reported") Report.parse(body);
    // A claim that a freeze holds back is given back on record.
    if (kind === "reported" || kind === "held_back") owners.delete(thread_id);
    if (STARTS.has(kind)) stepping.add(thread_id);
    if (ENDS.has(kind)) stepping.delete(thread_id);
    if (kind !== "taken_up") return [];
    const { owner, cleared = false } = Claim.parse(body);
    const before = owners.get(thread_id);
    owners.set(thread_id, owner);
    const wrong = (text: string): Breach[] => [{ thread_id, seq, rule: "living owner", text }];
    const own = known.get(owner) ?? lifeOf(owner, committed, lives);
    if (own === undefined) return wrong(`it is claimed by ${owner}, which is no server of this run`);
    known.set(owner, own);
    if (committed < own.from || committed > own.to)
      return wrong(`it is claimed by ${own.name}, which does not live then`);
    const last = before === undefined || before === owner ? undefined : known.get(before);
    if (last === undefined || committed > last.may_end) return [];
    if (committed >= last.leaves && !(cleared && stepping.has(thread_id))) return [];
    if (cleared) return wrong(`it is claimed as if nothing of ${last.name} ran any more, and ${last.name} lives`);
    const hadTrouble = last.troubles.some(({ from, to }) => from <= committed && committed <= to + AFTER_TROUBLE_MS);
    return hadTrouble ? [] : wrong(`${own.name} claims it from ${last.name}, which lives and lacks nothing`);
  });
}

const STARTS = new Set(["step_started", "skill_step_started"]);
const ENDS = new Set(["step_finished", "step_resolved", "step_reconciled", "skill_step_finished", "reported"]);

/** Pids repeat: the last one that had begun by then. */
export function lifeOf(owner: string, by: number, lives: readonly Life[]): Life | undefined {
  const own = lives.filter(({ pid }) => owner.includes(`/${pid}/`));
  return own.findLast(({ from }) => from <= by) ?? own[0];
}
