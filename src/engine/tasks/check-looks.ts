// Looks at the checks of a plan before its change (D-193), here or by a job of the flow engine (D-198), and examines those that passed.
// Examines a check once for its text, its target and the programs that it runs, and keeps what is found; what that is worth is for the
// package of proofs to say.
import type { Change } from "../../domain/change.ts";
import { type TaskContract, targetSignature } from "../../domain/contract.ts";
import type { EventBody } from "../../domain/journal.ts";
import { digestOf } from "../../domain/json.ts";
import { type BeforeLook, type CheckLook, Examination } from "../../domain/proof.ts";
import { type LookRequest, wasAccepted } from "../../domain/run-request.ts";
import { isCheck, type Step, type StepResult } from "../../domain/step.ts";
import { isRed } from "../../domain/step-run.ts";
import type { Clock, Judge, Store } from "../../ports.ts";
import { examineCheck, type Mend, mendsOf, notRun, type Probes, runBy, textFacts } from "../../proof/proof.ts";
import { planContract, shellContextOf } from "../policy/judge-plan.ts";
import { isAlreadyDone, type PlanDeps, pinned, pinnedTo, wereAllTrue } from "./plan.ts";
import type { Projection } from "./projection.ts";
import { stepResultsOf } from "./steps-fold.ts";
import type { Thread } from "./thread.ts";

type Looking = {
  /** Null where looks are switched off. */
  readonly examiner: CheckExaminer | null;
  readonly backendOf: PlanDeps["backendOf"];
};

type CheckedPlan = { readonly steps: readonly Step[]; readonly remote: boolean };

const planOf = ({ backendOf }: Looking, { journal: { projection } }: Thread, contract: TaskContract): CheckedPlan => ({
  steps: pinned(projection).steps,
  remote: backendOf(pinnedTo(contract, projection))?.remote === true,
});

const examinedAs = (text: string, contract: TaskContract, { steps, remote }: CheckedPlan): ExaminedCheck => ({
  text,
  contract,
  decoy_on: remote ? "elsewhere" : "machine",
  commands: steps.flatMap((step) => (step.kind === "cmd" ? [step.value] : [])),
});

/** Beside the run of a plan that may run: what the looks at its checks can find out without them. */
export function prepareChecks(looking: Looking, thread: Thread, contract: TaskContract): void {
  const { examiner } = looking;
  const plan = planOf(looking, thread, contract);
  if (examiner === null || plan.remote) return;
  for (const step of plan.steps) {
    // A fault of the database ends the examination itself.
    if (step.kind === "check") examiner.prepare(examinedAs(step.value, contract, plan)).catch(() => {});
  }
}

/**
 * Records what the checks that passed are worth, and remembers the checks that were red: they are known to be able to fail.
 * A control and a decoy are run at most once for each text and target.
 */
export async function examineChecks(looking: Looking, thread: Thread, contract: TaskContract) {
  const { examiner } = looking;
  if (examiner === null) return;
  const { journal } = thread;
  const state = journal.projection;
  const plan = planOf(looking, thread, contract);
  const { steps } = plan;
  const results = stepResultsOf(state.steps, steps);
  const passed = results.flatMap(({ index, status }) => (status === "passed" ? [index] : []));
  const checks = await examinationsOf(examiner, contract, plan, passed);
  if (checks.length > 0) journal.note({ kind: "checks_examined", body: { checks } });
  const known = new Set(checks.filter(({ red_at }) => red_at !== null).map(({ step_index }) => step_index));
  const red = [...redRuns(results), ...redLooks(state.proof.before)].filter((index) => !known.has(index));
  const texts = red.flatMap((index) => {
    const step = steps[index];
    return step?.kind === "check" ? [step.value] : [];
  });
  const changes = [...new Set(texts)].map((text) => examiner.redRun({ text, contract }));
  if (changes.length > 0) await journal.commit([], changes);
}

/**
 * Finds out whether the task is done already, where its contract asks for it (D-199). What is found is recorded: the same journal
 * gives the same answer after a stop, and offline.
 */
export async function findIfDone(looking: Looking, thread: Thread, contract: TaskContract): Promise<boolean> {
  const { examiner } = looking;
  const { journal, cancel } = thread;
  const { proof, steps } = journal.projection;
  const isAsked = contract.skip_if_done === true && steps.starts.length === 0 && !cancel.aborted;
  if (!isAsked || examiner === null || !wereAllTrue(contract, journal.projection)) return false;
  if (proof.examinations.size === 0) {
    const looked = [...(proof.before ?? [])].map(([index]) => index);
    const checks = await examinationsOf(examiner, contract, planOf(looking, thread, contract), looked);
    journal.note({ kind: "checks_examined", body: { checks } });
  }
  return !cancel.aborted && isAlreadyDone(contract, journal.projection);
}

function examinationsOf(
  examiner: CheckExaminer,
  contract: TaskContract,
  plan: CheckedPlan,
  indexes: readonly number[],
): Promise<EventBody<"checks_examined">["checks"]> {
  const examination = async (step: Step): Promise<Examination> =>
    step.kind === "check" ? examiner.examine(examinedAs(step.value, contract, plan)) : WITHOUT_A_WORLD;
  return Promise.all(
    indexes.flatMap((step_index) => {
      const step = plan.steps[step_index];
      const isOne = step !== undefined && isCheck(step);
      return isOne ? [examination(step).then((found) => ({ step_index, ...found }))] : [];
    }),
  );
}

const redRuns = (results: readonly StepResult[]): number[] =>
  results
    .filter(
      ({ kind, exit_code, timed_out }) => kind === "check" && exit_code !== null && !timed_out && isRed(exit_code),
    )
    .map(({ index }) => index);

const redLooks = (before: ReadonlyMap<number, Pick<BeforeLook, "answer">> | null): number[] =>
  [...(before ?? [])].flatMap(([index, { answer }]) => (answer === "red" ? [index] : []));

/** Only a run before the change can show that one of these fails. */
export const WITHOUT_A_WORLD: Examination = {
  constant: null,
  chance: null,
  names_target: true,
  reads_before: false,
  joined: false,
  decoy: null,
  red_at: null,
  control: {
    answer: "not_possible",
    exit_code: null,
    world: "empty",
    wrote: false,
    reason: "the call of a tool cannot be made without its server",
  },
};

// The checks that a job of the flow engine looks at before its first step (D-198): only a job before which nothing of the plan
// has run. It is not asked to look again when it is looked up.

/** `next`: of the job that is made or followed now. `last`: of the last job, whose report may still come. */
type LooksInRun = { readonly next: { look_at?: readonly number[] }; readonly last: { look_at?: readonly number[] } };

export function looksInRun(
  { jobs: { last, ends }, proof, steps }: Projection,
  checks: LookRequest["checks"],
): LooksInRun {
  if (proof.before !== null) return { next: {}, last: {} };
  const look_at = checks.map(({ step_index }) => step_index);
  const hasRun = (but: string | undefined) => ends.some(({ job_id, code }) => job_id !== but && wasAccepted(code));
  const given = (is_first: boolean) => (is_first && look_at.length > 0 ? { look_at } : {});
  return {
    next: given(steps.passed === 0 && !hasRun(undefined)),
    last: given(last?.first_index === 0 && !hasRun(last.job.job_id)),
  };
}

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
