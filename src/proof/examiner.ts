// Examines a check once for its text, its target and the programs that it runs, and keeps what it finds (D-193): what the text
// says, whether a decoy in the place of the target turns it red, and whether an empty world does. Decides which checks are looked at before
// the first change.

import type { SyntaxNode } from "unbash";
import { READ_ONLY_INTENTS, type TaskContract, targetSignature } from "../domain/contract.ts";
import { digestOf } from "../domain/json.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { type CheckLook, Examination, type Look } from "../domain/proof.ts";
import type { LookRequest } from "../domain/run-request.ts";
import type { ScriptText } from "../domain/script.ts";
import type { CriterionCheck } from "../domain/sop.ts";
import { isCheck, type Step } from "../domain/step.ts";
import { isPause, readsBefore, stepEnvironment } from "../domain/step-run.ts";
import { uncovered } from "../domain/verification.ts";
import { type PlanContract, planContract, shellContextOf } from "../engine/policy/judge-plan.ts";
import { effectOf } from "../guard/guard.ts";
import type { Clock, Judge, Store } from "../ports.ts";
import { checkText, namesTarget, runBy, textFacts, withoutSelfComparison } from "./check-text.ts";
import { conjunctsOf } from "./conjuncts.ts";
import { decoyOf } from "./decoy.ts";
import { mendsOf } from "./mends.ts";
import type { CheckExaminer, ExaminedCheck } from "./port.ts";
import { type CheckTree, contains, treeOf } from "./syntax.ts";

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

type Script = { readonly script: string; readonly env: Readonly<Record<string, string>> };

/** Time jumps. A check that waits without an end has no colour. */
type DecoyRun = {
  /** The contract of the agent whose check it is, which runs as its commands do; null for a check of a procedure. */
  readonly by_agent: TaskContract | null;
};

/** The looks that run something. They never reject for what the check does. */
export type CheckLooks = {
  /** In a world without the target. The `masked` paths do not exist there; the working directory is empty. */
  readonly control: (
    check: Script & {
      readonly directory: string | null;
      readonly masked: readonly string[];
      readonly programs: readonly string[];
    },
  ) => Promise<Examination["control"]>;
  /** On this machine, in a directory of something else: `scriptIn` is given its path. */
  readonly decoy: (scriptIn: (directory: string) => Promise<Script>, given: DecoyRun) => Promise<Look>;
  /** Changes when one of the programs, or of the files that are given by their paths, changes. */
  readonly fingerprint: (programs: readonly string[]) => Promise<string>;
  /** The text of a short file; null for every other path. */
  readonly textAt: (path: string) => Promise<ScriptText | null>;
};

type Deps = {
  readonly store: Pick<Store, "findCheckLook" | "commit">;
  readonly clock: Clock;
  readonly looks: CheckLooks;
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
        const facts = await deps.judge(
          textFacts,
          { text: check.text, contract: planContract(check.contract) },
          deps.home,
        );
        return { ...facts, control: ELSEWHERE, red_at: red?.looked_at ?? null };
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

async function identify({ looks, judge, home, version }: Deps, check: ExaminedCheck): Promise<Identified> {
  const { programs, scripts } = await judge(runBy, check.text, planContract(check.contract), home);
  const fingerprint = await looks.fingerprint([...programs, ...scripts]);
  return { ...check, programs, scripts, fingerprint, digest: digestWith(check, fingerprint, version) };
}

const digestWith = (check: ExaminedCheck, programs: string, version: string): string =>
  digestOf({ ...subjectOf(check), programs, version });

/** The same check before it has run on the machine: its control is that of the check. */
function withoutDecoy({ version }: Deps, check: Identified): Identified {
  const one = { ...check, decoy_on: "nowhere" } as const;
  return { ...one, digest: digestWith(one, check.fingerprint, version) };
}

/** What the answer of a check may depend on, apart from the machine. A program that it runs may read the payload, without a word of it in its text. */
const subjectOf = ({ text, contract, commands, decoy_on }: ExaminedCheck) => ({
  text,
  decoy_on,
  target: contract.target,
  commands: [...commands],
  payload: contract.payload,
  task_id: text.includes("ORCH_TASK_ID") ? contract.task_id : null,
});

const redDigest = ({ text, contract: { intent, target } }: Pick<ExaminedCheck, "text" | "contract">): string =>
  digestOf({ text, intent, target_signature: targetSignature(target) });

async function findKept({ store, clock }: Deps, digest: string): Promise<Examination | null> {
  const kept = await store.findCheckLook("examination", digest);
  return kept !== null && isFresh(kept, clock()) ? Examination.parse(kept.body) : null;
}

type Examined = (check: Identified) => Promise<Examination>;

async function examinationOf(deps: Deps, check: Identified, examined: Examined): Promise<Examination> {
  const { store, clock } = deps;
  const { digest, decoy_on } = check;
  const kept = await findKept(deps, digest);
  if (kept !== null) return kept;
  const body = await examine(deps, check, async (run) =>
    decoy_on === "nowhere" ? run() : (await examined(withoutDecoy(deps, check))).control,
  );
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

type Control = Examination["control"];

/** `controlOf` runs the control of the whole text, or knows it. */
async function examine(
  { looks, judge, home }: Deps,
  { text, contract, commands, decoy_on, programs, scripts: paths }: Identified,
  controlOf: (run: () => Promise<Control>) => Promise<Control>,
): Promise<Examination> {
  const scripts = await textsOf(paths, looks.textAt);
  const given = { text, contract: planContract(contract), commands, decoy_on };
  const { facts, has_decoy, masked } = await judge(checkText, given, scripts, home);
  if (masked === null) return { ...facts, control: TOO_COSTLY };
  if (facts.constant !== null) return { ...facts, control: NOT_TRIED };
  const env = { ...stepEnvironment(contract), ...(facts.reads_before && { ORCH_BEFORE: ANOTHER_WORD }) };
  const directory = contract.target["compose_dir"] ?? null;
  const looked = await judge(withoutSelfComparison, text);
  const look = async (script: string): Promise<Seen> => {
    const run = () => looks.control({ script, env, directory, masked, programs });
    const [control, decoy] = await Promise.all([
      script === looked ? controlOf(run) : run(),
      has_decoy
        ? looks.decoy(
            async (place) => {
              const decoyed = await judge(decoyOf, script, contract.target, place);
              return { script: decoyed.text, env: { ...env, ...decoyed.env } };
            },
            { by_agent: decoy_on === "confined" ? contract : null },
          )
        : null,
    ]);
    return { names_target: await judge(namesTarget, script, { target: contract.target }), control, decoy };
  };
  const seen = await look(looked);
  const joined = isRedInBoth(seen) && (await isJoined(await judge(conjunctsOf, looked), look));
  return { ...facts, ...seen, joined };
}

/** A file that cannot be read is left out. */
async function textsOf(paths: readonly string[], textAt: CheckLooks["textAt"]): Promise<ReadonlyMap<string, string>> {
  const read = await Promise.all(paths.map(async (path) => [path, await textAt(path)] as const));
  return new Map(read.flatMap(([path, text]) => (text === null ? [] : [[path, text.judged] as const])));
}

type Seen = Pick<Examination, "names_target" | "control" | "decoy">;

const isRedInBoth = ({ names_target, control, decoy }: Seen): boolean =>
  names_target && control.answer === "red" && control.world === "empty" && decoy?.answer === "red";

/** Whether no part of a conjunction is red in both looks. */
async function isJoined(parts: readonly string[], look: (script: string) => Promise<Seen>): Promise<boolean> {
  for (const part of parts) if (isRedInBoth(await look(part))) return false;
  return parts.length > 0;
}

/** Not what any check printed: a check that is green with it does not compare. */
const ANOTHER_WORD = "what-a-check-printed-before";

const notTried = (reason: string): Control => ({
  answer: "not_possible",
  exit_code: null,
  world: "empty",
  wrote: false,
  reason,
});
const NOT_TRIED = notTried("its exit code does not depend on the machine");
const TOO_COSTLY = notTried("the plan takes too long to judge; use fewer or shorter steps");
const ELSEWHERE = notTried("the flow engine runs it, and orch has no empty world there");

// Asks of the checks of a plan what they say before its first change: which are run once (D-194), and whether `skip_if_done` may
// end the task (D-199).

/** A longer text is not parsed for it: the mark counts wherever it is. */
const MAX_PARSED = 2_048;
const ONCE = /(^|[\s;&|()])#[ \t]*orch:[ \t]*once(?![\w-])/gm;

/** Whether a comment opts out: `# orch: once`. */
export function hasOnce(text: string): boolean {
  const places = [...text.matchAll(ONCE)].map((match) => match.index + match[0].indexOf("#"));
  if (places.length === 0 || text.length > MAX_PARSED) return places.length > 0;
  const tree = treeOf(text);
  return tree !== null && places.some((at) => !isWithinWord(tree, at));
}

/** Of each of the texts. */
export const haveOnce = (texts: readonly string[]): readonly boolean[] => texts.map(hasOnce);

function isWithinWord(tree: CheckTree, at: number): boolean {
  return contains(tree, (node) => {
    const isText = node.type === "HereDocBody" || (node.type === "Word" && !hasScript(node));
    return isText && node.pos <= at && at < node.end;
  });
}

/** A comment may be within `$( )`. */
const hasScript = (node: SyntaxNode): boolean => contains(node, ({ type }) => type === "Script");

type Plan = { readonly steps: readonly Step[]; readonly criteria: readonly CriterionCheck[] };

/**
 * What `skip_if_done` asks of a plan (D-199): a task without a run is done only by what its checks say, so they must be able to
 * say that it is not. What the looks answered is not judged here. Why the steps run all the same, as a clause; null where the
 * looks decide. It follows from the contract and the plan alone.
 */
export function obstacleToSkip(contract: TaskContract, { steps, criteria }: Plan): string | null {
  const { intent, payload, success_criteria } = contract;
  if (READ_ONLY_INTENTS.has(intent)) return `the intent ${intent} only looks`;
  const checks = steps.flatMap((step, index) => (isCheck(step) ? [{ index, step }] : []));
  if (checks.length === 0) return "the plan has no check";
  const once = checks.find(({ step }) => hasOnce(step.value));
  if (once !== undefined) return `check step ${once.index} must run only once`;
  const compares = checks.find(({ step }) => readsBefore(step.value));
  if (compares !== undefined) return `check step ${compares.index} compares with ORCH_BEFORE`;
  const [open] = uncovered(success_criteria, criteria);
  if (open !== undefined) return `no check covers the success criterion ${JSON.stringify(open)}`;
  const reader = steps.findIndex((step) => !isCheck(step) && readsPayload(step));
  const isChecked = checks.some(({ step }) => readsPayload(step));
  if (reader !== -1 && !isChecked && Object.keys(payload).length > 0)
    return `step ${reader} reads the payload, and no check does`;
  return null;
}

/** Another payload is another goal: a check that does not read it cannot know which one was reached. */
const readsPayload = (step: Step): boolean =>
  step.kind === "mcp_call"
    ? canonicalJson([step.arguments, step.expect ?? null]).includes("${payload.")
    : !isPause(step) && step.value.includes("ORCH_PAYLOAD");

type LookedAt = PlanContract & Pick<TaskContract, "intent" | "skip_if_done">;

/** What is read of a contract for it. */
export const lookedAt = ({ intent, skip_if_done, ...contract }: LookedAt): LookedAt => ({
  ...planContract(contract),
  intent,
  ...(skip_if_done !== undefined && { skip_if_done }),
});

/**
 * Chooses the checks of a plan that are run once before its first change (D-194). Those that policy knows to look only, and that
 * come after the first step that may change something. Where a task may be done already, also those before it.
 */
export function checksToLookAt(contract: LookedAt, steps: readonly Step[], home: string): LookRequest["checks"] {
  if (READ_ONLY_INTENTS.has(contract.intent)) return [];
  const looksOnly = (step: Step): boolean => {
    if (isPause(step)) return true;
    if (step.kind === "mcp_call") return isCheck(step);
    return effectOf(step.value, shellContextOf(contract, home)).is === "reads";
  };
  const change = steps.findIndex((step) => !looksOnly(step));
  if (change === -1) return [];
  const isInTime = (step: Step, index: number): boolean =>
    index > change || (contract.skip_if_done === true && !readsBefore(step.value));
  return steps.flatMap((step, step_index) =>
    isInTime(step, step_index) && isCheck(step) && !hasOnce(step.value) && looksOnly(step)
      ? [{ step_index, step }]
      : [],
  );
}
