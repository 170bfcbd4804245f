// Makes the moves in an SOP's life [3.sop.candidate] [3.sop.promote] [3.sop.deprecate]: a new candidate, its activation,
// its retirement, a version with the steps of an earlier one (D-293), and what a run says of the version that it ran
// (D-200).
import type { Approval, Rollback } from "../../domain/approval.ts";
import type { Change } from "../../domain/change.ts";
import { READ_ONLY_INTENTS, type Target, targetSignature } from "../../domain/contract.ts";
import { isUnreadable } from "../../domain/errors.ts";
import type { NewEvent } from "../../domain/journal.ts";
import {
  formatOrigin,
  isOfUpdate,
  isSetBack,
  type Procedure,
  parseOrigin,
  type Sop,
  type SopLevel,
  type SopOrigin,
  stepsDigest,
} from "../../domain/sop.ts";
import { promotionThread } from "../../domain/thread-id.ts";
import type { Verdict } from "../../domain/verification.ts";
import type { Clock, NewId, Store } from "../../ports.ts";
import { replaceableSop } from "./active-sop.ts";
import type { Projection } from "./projection.ts";
import { stepDiff } from "./sop-proof.ts";
import { allRunsOf, recordIn } from "./version-runs.ts";

type Draft = {
  readonly intent: string;
  readonly target: Target;
  readonly procedure: Procedure;
  readonly origin: SopOrigin;
  /** Of the task that has run it; null for a version that is only defined. */
  readonly run: RunProof | null;
  /** Of a copy: where the procedure was proved that it is made of. */
  readonly proved_on?: string | null;
};

/** The next version of its key. Null when a task has run steps that are a candidate or active already. */
export async function newCandidate(
  deps: { readonly store: Store; readonly clock: Clock; readonly new_id: NewId },
  { intent, target, procedure, origin, run, proved_on = null }: Draft,
): Promise<Sop | null> {
  const target_signature = targetSignature(target);
  const steps_digest = stepsDigest(procedure.steps);
  const versions = await deps.store.listSops({ intent, target_signature, limit: 1000 });
  const known = versions.some((sop) => sop.status !== "deprecated" && sop.steps_digest === steps_digest);
  if (known && run !== null) return null;
  const at = deps.clock().toISOString();
  const { steps, criteria, safety_level, preconditions } = procedure;
  return {
    sop_id: deps.new_id(),
    intent,
    target_signature,
    target,
    status: "candidate",
    version: Math.max(0, ...versions.map((sop) => sop.version)) + 1,
    steps,
    criteria,
    safety_level,
    preconditions,
    steps_digest,
    level: levelAfter(run, proved_on),
    proved_on,
    // Where a run could not be looked at, another run would say no more.
    trial_left: run === "proved" || run === "not_possible" ? 0 : 1,
    replaced_sop_id: null,
    promotion_round: 1,
    record_since: null,
    origin: formatOrigin(origin),
    last_success_at: run === null ? null : at,
    success_count: run === null ? 0 : 1,
    failure_count: 0,
    created_at: at,
    updated_at: at,
  };
}

export const sopChanged = (
  { sop_id, version }: Pick<Sop, "sop_id" | "version">,
  status: Sop["status"],
  why: string,
  shown: Partial<Pick<Sop, "level" | "trial_left">> = {},
): NewEvent => ({
  kind: "sop_changed",
  body: { sop_id, version, status, why, ...shown },
});

export type Moves = { readonly events: NewEvent[]; readonly changes: Change[] };

export const moved = (sop: Pick<Sop, "sop_id" | "version" | "status">, status: Sop["status"], why: string): Moves => ({
  events: [sopChanged(sop, status, why)],
  changes: [{ on: "sop", sop_id: sop.sop_id, expect: { status: sop.status }, set: { status } }],
});

/** A version on trial gives way to the one that it has replaced (D-200). */
function activated(sop: Sop, replaced_sop_id: string | null, { at, seen_wrong = false }: Deciding): Moves {
  const { level, trial_left } = sop;
  // The human has seen the runs that speak against it, so they do not set it back again.
  const window = isSetBack(sop) || seen_wrong ? { record_since: at } : {};
  const set = { status: "active", replaced_sop_id, ...window } as const;
  return {
    events: [sopChanged(sop, "active", "promotion approved", { level, trial_left })],
    changes: [{ on: "sop", sop_id: sop.sop_id, expect: { status: sop.status }, set }],
  };
}

export const together = (...moves: readonly Moves[]): Moves => ({
  events: moves.flatMap((move) => move.events),
  changes: moves.flatMap((move) => move.changes),
});

type Deciding = {
  readonly at: string;
  /** The version that has stepped aside for it already. */
  readonly previous?: Sop | null;
  /** The approval shows a run of it that was found wrong outside of orch. */
  readonly seen_wrong?: boolean;
};

/** Makes a candidate the one that is used; the active one of its key and its older candidates are deprecated (D-189). */
export async function activation(store: Store, sop: Sop, deciding: Deciding): Promise<Moves> {
  const { intent, target_signature, version } = sop;
  const active = await store.findActiveSop(intent, target_signature);
  const retired = active === null ? [] : [moved(active, "deprecated", `replaced by version ${version}`)];
  const candidates = await store.listSops({ intent, target_signature, status: "candidate", limit: 1000 });
  // The task of an update_sop settles its candidate.
  const older = candidates.filter((one) => one.version < version && !isOfUpdate(one));
  const superseded = await Promise.all(older.map((one) => supersession(store, one, version)));
  // A replacement that still waits has set the active version aside.
  const waiting = candidates.find((one) => isOfUpdate(one) && one.sop_id !== sop.sop_id);
  const before = active?.sop_id ?? deciding.previous?.sop_id ?? waiting?.replaced_sop_id ?? sop.replaced_sop_id;
  return together(...retired, activated(sop, before, deciding), ...superseded);
}

/** Whether another version is in use than the one that the approval of a promotion would replace: the human saw something else. */
export async function isOutdated(store: Pick<Store, "findActiveSop">, { kind, content }: Approval): Promise<boolean> {
  if (kind !== "promotion" || !("replaces" in content)) return false;
  const active = await store.findActiveSop(content.intent, content.target_signature).catch((error: unknown) => {
    // Which version is in use cannot be read: the promotion itself says so.
    if (isUnreadable(error)) return undefined;
    throw error;
  });
  return active !== undefined && content.replaces !== (active?.version ?? null);
}

/** Deprecates a candidate, and withdraws the approval of its promotion. */
async function supersession(store: Store, candidate: Sop, version: number): Promise<Moves> {
  const thread_id = promotionThread(candidate.sop_id, candidate.promotion_round);
  const pending = await store.listApprovals({ thread_id, status: "pending", limit: 10 });
  const withdrawn = pending.map(
    ({ approval_id }): Change => ({ on: "approval", approval_id, set: { status: "superseded" } }),
  );
  const { events, changes } = moved(candidate, "deprecated", `version ${version} was promoted before it`);
  return { events, changes: [...changes, ...withdrawn] };
}

/** A version that was set back stays so while its replacement waits: it is not in use, and keeps the approval that it asks for. */
export const steppedAside = (current: Sop, why: string): Moves =>
  isSetBack(current) ? { events: [], changes: [unchanged(current)] } : moved(current, "deprecated", why);

const unchanged = ({ sop_id, status, promotion_round }: Sop): Change => ({
  on: "sop",
  sop_id,
  expect: { status, promotion_round },
  set: {},
});

type Replacing = {
  readonly candidate: Sop;
  /** What was in use until the task set it aside; null where the version was set back. */
  readonly previous: Sop | null;
};

/** The candidate that an update_sop task has created, and the version that it replaces. */
export async function replacementOf(store: Store, { versions }: Projection): Promise<Replacing> {
  const found = await versionsOfUpdate(store, versions.changes);
  if (found === null) throw new Error("the journal records no replacement");
  return found;
}

/** Null where the database has no such versions (any more). */
async function versionsOfUpdate(store: Store, changes: Projection["versions"]["changes"]): Promise<Replacing | null> {
  const [first, second] = changes;
  const [aside, created] = first?.status === "deprecated" ? [first, second] : [null, first];
  const candidate = created === undefined ? null : await store.findSop(created.sop_id);
  const previous = aside === null ? null : await store.findSop(aside.sop_id);
  return candidate === null || (aside !== null && previous === null) ? null : { candidate, previous };
}

export async function restoration(store: Store, candidate: Sop, previous: Sop | null): Promise<Moves> {
  const retired = moved(candidate, "deprecated", "replacement refused");
  const active = await store.findActiveSop(candidate.intent, candidate.target_signature);
  return active === null && previous !== null
    ? together(retired, moved(previous, "active", "replacement refused"))
    : retired;
}

/**
 * Gives the previous version back where the task of a replacement ends without settling it. Null where nothing is open, or where the
 * database has no such versions (any more).
 */
export async function restored(store: Store, { versions }: Projection): Promise<Moves | null> {
  const found = await versionsOfUpdate(store, versions.changes);
  return found !== null && isOfUpdate(found.candidate) ? restoration(store, found.candidate, found.previous) : null;
}

// A version with the steps of an earlier one of its key (D-293): what the human is shown of it.

/** Null for a version that is no rollback. */
export async function rollbackOf(
  store: Pick<Store, "findSop" | "findActiveSop" | "listSops" | "listApprovals" | "scoresOfSop" | "findScore">,
  { sop_id, intent, target_signature, steps, origin }: Sop,
): Promise<Rollback | null> {
  const source = parseOrigin(origin);
  const to = source.by === "rollback" ? await store.findSop(source.sop_id) : null;
  if (to === null) return null;
  const current = await replaceableSop(store, { intent, target_signature });
  const from = current?.sop_id === sop_id ? null : current;
  const diff = from && stepDiff(from.steps, steps);
  // Also what was found before it was approved again.
  const whole = { ...to, record_since: null };
  const record = recordIn(whole, await allRunsOf(store, whole));
  return { to: named(to), from: from && named(from), diff, record };
}

const named = ({ sop_id, version }: Sop) => ({ sop_id, version });

// What a run says of the version that it ran (D-200). A run that was never looked at says nothing for it and nothing against it.

export type RunProof = "proved" | "not_proved" | "not_possible";

/** Every criterion has to be proved; where a procedure names none, every check. */
export function runProof({ passed, checks }: Pick<Verdict, "passed" | "checks">, intent: string): RunProof {
  if (!passed) return "not_proved";
  const of_criteria = checks.filter(({ criterion }) => criterion !== null);
  const found = (of_criteria.length === 0 ? checks : of_criteria).map((check) => checkProof(check, intent));
  if (found.includes("not_proved")) return "not_proved";
  return found.includes("not_possible") ? "not_possible" : "proved";
}

/** Diagnostic work names no target as a rule: that its check depends on what it looks at is enough there. */
function checkProof({ proof }: Verdict["checks"][number], intent: string): RunProof {
  if (proof === undefined || proof.class === "not_possible") return "not_possible";
  if (proof.class === "sensitive" && READ_ONLY_INTENTS.has(intent)) return "proved";
  return proof.class === "proved" ? "proved" : "not_proved";
}

/** A copy of a procedure that was proved elsewhere counts as tried. */
export function levelAfter(run: RunProof | null, proved_on: string | null): SopLevel {
  if (run === "proved") return "proved";
  return run === null && proved_on === null ? "defined" : "tried";
}

const LEVELS: readonly SopLevel[] = ["defined", "tried", "proved"];

export const isBetterProved = (one: SopLevel, other: SopLevel): boolean => LEVELS.indexOf(one) > LEVELS.indexOf(other);
