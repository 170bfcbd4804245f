// Examines a check once for its text, its target and the programs that it runs, and keeps what is found (D-193). What it is worth is
// found out by the package of proofs.

import type { Change } from "../../domain/change.ts";
import { type TaskContract, targetSignature } from "../../domain/contract.ts";
import { digestOf } from "../../domain/json.ts";
import { type CheckLook, Examination } from "../../domain/proof.ts";
import type { Clock, Judge, Store } from "../../ports.ts";
import { examineCheck, type Mend, mendsOf, notRun, type Probes, runBy, textFacts } from "../../proof/proof.ts";
import { planContract, shellContextOf } from "../policy/judge-plan.ts";

/** A check of a plan, or of an agent, with what it is run for. */
export type ExaminedCheck = {
  readonly text: string;
  readonly contract: TaskContract;
  /** The other commands of the plan: the check must not find what they write. */
  readonly commands: readonly string[];
  /**
   * Where its decoy may run: on this machine once the text has run there under policy, for an agent only where its commands run, and
   * nowhere before that: no approval covers it yet. A control leaves its world in no case. For a check that runs `elsewhere`, on a
   * flow engine, only its text is examined.
   */
  readonly decoy_on: "machine" | "confined" | "nowhere" | "elsewhere";
};

/** Finds out whether a check can fail: from its text, with a decoy in the place of its target, and in an empty world (D-193). */
export interface CheckExaminer {
  /**
   * Beside the run: reads what is known of the check, and runs its control when nothing is. The check must have passed policy.
   * `examine` is faster after it. Rejects only when the database fails, or the judge gives no answer.
   */
  prepare(check: ExaminedCheck): Promise<void>;
  /** The same check is examined once, and again after 30 days. Bounded by some seconds. Rejects as `prepare` does. */
  examine(check: ExaminedCheck): Promise<Examination>;
  /** The usual mends of a check that passes where it proves nothing. */
  mendsOf(text: string): Promise<Mend[]>;
  /** To be committed with a red run of the check: the same check counts as seen to fail from then on. */
  redRun(check: { readonly text: string; readonly contract: TaskContract }): Change;
}

type LookStore = Pick<Store, "findCheckLook" | "commit">;

const MAX_LOOKS = 2_048;

const keyOf = ({ kind, digest }: Pick<CheckLook, "kind" | "digest">): string => `${kind} ${digest}`;

/**
 * Remembers what is kept of checks, so that a known check costs no query. A look is never changed, only replaced by a later one.
 * What another process of the same database keeps later is not seen until it is asked for here the first time.
 */
export function withMemory(store: LookStore): LookStore {
  const known = new Map<string, CheckLook>();
  const remember = (look: CheckLook): void => {
    const key = keyOf(look);
    known.delete(key);
    known.set(key, look);
    const [oldest] = known.keys();
    if (known.size > MAX_LOOKS && oldest !== undefined) known.delete(oldest);
  };
  return {
    findCheckLook: async (kind, digest) => {
      const found = known.get(keyOf({ kind, digest })) ?? (await store.findCheckLook(kind, digest));
      if (found !== null) remember(found);
      return found;
    },
    commit: async (given) => {
      const committed = await store.commit(given);
      const changes = committed.ok ? (given.changes ?? []) : [];
      for (const change of changes) if (change.on === "check_look") remember(change.look);
      return committed;
    },
  };
}

const DAY_MS = 24 * 3_600_000;
const KEPT_MS = 30 * DAY_MS;

type Deps = {
  readonly store: LookStore;
  readonly clock: Clock;
  /** Of an agent with this contract, or of a procedure. */
  readonly probes: (by_agent: TaskContract | null) => Probes;
  readonly judge: Judge;
  /** The home directory that checks see. */
  readonly home: string;
  /** Another version looks again. */
  readonly version: string;
};

/** At most so many runs have something read for them that no examination has used yet. */
const MAX_PREPARED = 256;

export function createExaminer(deps: Deps): CheckExaminer {
  const running = new Map<string, Promise<Examination>>();
  const prepared = new Map<string, Promise<Known>>();

  const examined = (check: Identified): Promise<Examination> => {
    const { digest } = check;
    const found = running.get(digest) ?? examinationOf(deps, check, examined);
    running.set(digest, found);
    return found.finally(() => running.delete(digest));
  };

  const known = async (check: Identified): Promise<Known> => {
    const [kept, red] = await Promise.all([
      findKept(deps, check.digest),
      deps.store.findCheckLook("red", redDigest(check)),
    ]);
    return { kept, red_at: red?.looked_at ?? null };
  };

  return {
    prepare: async (check) => {
      const one = await identify(deps, check);
      const reading = known(one);
      for (const oldest of prepared.keys()) if (prepared.size >= MAX_PREPARED) prepared.delete(oldest);
      prepared.set(runOf(one), reading);
      reading.catch(() => prepared.delete(runOf(one)));
      if ((await reading).kept === null) await examined(withoutDecoy(deps, one));
    },
    examine: async (check) => {
      if (check.decoy_on === "elsewhere") {
        const red = await deps.store.findCheckLook("red", redDigest(check));
        const facts = await deps.judge(textFacts, subjectOf(check, deps.home));
        return { ...notRun(facts, ELSEWHERE), red_at: red?.looked_at ?? null };
      }
      // What was read before the run counts only while the programs are the same.
      const one = await identify(deps, check);
      const { kept, red_at } = await (prepared.get(runOf(one)) ?? known(one));
      prepared.delete(runOf(one));
      return { ...(kept ?? (await examined(one))), red_at };
    },
    mendsOf: (text) => deps.judge(mendsOf, text),
    redRun: (check) => {
      const look = {
        kind: "red",
        digest: redDigest(check),
        body: null,
        looked_at: deps.clock().toISOString(),
      } as const;
      return { on: "check_look", look };
    },
  };
}

/** `fingerprint` is that of the programs; the digest is of everything that the examination may depend on. */
type Identified = ExaminedCheck & {
  readonly programs: readonly string[];
  readonly scripts: readonly string[];
  readonly fingerprint: string;
  readonly digest: string;
};

/** What the database says of a check. */
type Known = { readonly kept: Examination | null; readonly red_at: string | null };

const runOf = ({ contract, digest }: Identified): string => `${contract.task_id} ${digest}`;

/** The check as the package knows it: plain data. */
const subjectOf = ({ text, contract }: ExaminedCheck, home: string) => ({
  text,
  target: contract.target,
  shell: shellContextOf(planContract(contract), home),
});

async function identify({ probes, judge, home, version }: Deps, check: ExaminedCheck): Promise<Identified> {
  const { programs, scripts } = await judge(runBy, check.text, subjectOf(check, home).shell);
  const fingerprint = await probes(null).fingerprint([...programs, ...scripts]);
  return { ...check, programs, scripts, fingerprint, digest: digestWith(check, fingerprint, version) };
}

const digestWith = (check: ExaminedCheck, programs: string, version: string): string =>
  digestOf({ ...dependsOn(check), programs, version });

/** The same check before it has run on the machine: its control is that of the check. */
function withoutDecoy({ version }: Deps, check: Identified): Identified {
  const one = { ...check, decoy_on: "nowhere" } as const;
  return { ...one, digest: digestWith(one, check.fingerprint, version) };
}

/** What the answer of a check may depend on, apart from the machine. A program that it runs may read the payload, without a word of it in its text. */
const dependsOn = ({ text, contract, commands, decoy_on }: ExaminedCheck) => ({
  text,
  decoy_on,
  target: contract.target,
  commands: [...commands],
  payload: contract.payload,
  task_id: text.includes("ORCH_TASK_ID") ? contract.task_id : null,
});

const redDigest = ({
  text,
  contract: { intent, target },
}: {
  readonly text: string;
  readonly contract: TaskContract;
}): string => digestOf({ text, intent, target_signature: targetSignature(target) });

async function findKept({ store, clock }: Deps, digest: string): Promise<Examination | null> {
  const kept = await store.findCheckLook("examination", digest);
  return kept !== null && isFresh(kept, clock()) ? Examination.parse(kept.body) : null;
}

type Examined = (check: Identified) => Promise<Examination>;

async function examinationOf(deps: Deps, check: Identified, examined: Examined): Promise<Examination> {
  const { store, clock, probes, judge } = deps;
  const { digest, decoy_on } = check;
  const kept = await findKept(deps, digest);
  if (kept !== null) return kept;
  const { commands, programs, scripts, contract } = check;
  const given = { ...subjectOf(check, deps.home), commands, programs, scripts, may_have_decoy: decoy_on !== "nowhere" };
  const body = await examineCheck(given, {
    probes: probes(decoy_on === "confined" ? contract : null),
    run: judge,
    controlOf: async (control) =>
      decoy_on === "nowhere" ? control() : (await examined(withoutDecoy(deps, check))).control,
  });
  const look: CheckLook = { kind: "examination", digest, body, looked_at: clock().toISOString() };
  await store.commit({ thread_id: `check:${digest}`, after: null, events: [], changes: [{ on: "check_look", look }] });
  return body;
}

/** A look that gave no colour is tried again sooner: a busy machine may have been the reason. */
function isFresh({ body, looked_at }: CheckLook, now: Date): boolean {
  const known = Examination.safeParse(body);
  if (!known.success) return false;
  const has_colour = ["red", "green"].includes(known.data.control.answer);
  return now.getTime() - Date.parse(looked_at) < (has_colour ? KEPT_MS : DAY_MS);
}

const ELSEWHERE = "the flow engine runs it, and orch has no empty world there";
