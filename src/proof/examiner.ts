// Examines a check once for its text, its target and the programs that it runs, and keeps what it finds (D-193): what the text
// says, whether a decoy in the place of the target turns it red, and whether an empty world does.
import { targetSignature } from "../domain/contract.ts";
import { digestOf } from "../domain/json.ts";
import { type CheckLook, Examination, type Look } from "../domain/proof.ts";
import { maxMs, stepEnvironment } from "../domain/step-run.ts";
import { effectOf } from "../guard/guard.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import type { Clock, Store } from "../ports.ts";
import { readsBefore } from "./before.ts";
import { chanceIn } from "./chance.ts";
import { conjunctsOf } from "./conjuncts.ts";
import { constantExit } from "./constant.ts";
import { decoyOf } from "./decoy.ts";
import type { CheckExaminer, ExaminedCheck } from "./port.ts";
import { pathsIn, programsIn } from "./programs.ts";

const DAY_MS = 24 * 3_600_000;
const KEPT_MS = 30 * DAY_MS;

type Script = { readonly script: string; readonly env: Readonly<Record<string, string>> };

/** `limit_ms` is that of the step: time jumps, and a check that waits for longer is red. */
type DecoyRun = { readonly by_agent: boolean; readonly limit_ms: number };

/** The looks that run something. They never reject for what the check does. */
export type CheckLooks = {
  /** In a world without the target. The `masked` paths do not exist there; the working directory is empty. */
  readonly control: (
    check: Script & {
      readonly directory: string | null;
      readonly masked: readonly string[];
      readonly programs: readonly string[];
      /** Of the step. A check that waits for longer is red. */
      readonly limit_ms: number;
    },
  ) => Promise<Examination["control"]>;
  /** On this machine, in a directory of something else: `scriptIn` is given its path. */
  readonly decoy: (scriptIn: (directory: string) => Script, given: DecoyRun) => Promise<Look>;
  /** Changes when one of the programs changes. */
  readonly fingerprint: (programs: readonly string[]) => Promise<string>;
};

type Deps = {
  readonly store: Pick<Store, "findCheckLook" | "commit">;
  readonly clock: Clock;
  readonly looks: CheckLooks;
  /** The home directory that checks see. */
  readonly home: string;
  /** Another version looks again. */
  readonly version: string;
};

export function createExaminer(deps: Deps): CheckExaminer {
  const { store, clock, looks, version } = deps;
  const running = new Map<string, Promise<Examination>>();
  return {
    examine: async (check) => {
      const { programs } = programsIn(check.text, shellContextOf(check.contract, deps.home));
      const subject = { ...subjectOf(check), programs: await looks.fingerprint(programs), version };
      const digest = digestOf(subject);
      const found = running.get(digest) ?? examinationOf(deps, check, programs, digest);
      running.set(digest, found);
      const examination = await found.finally(() => running.delete(digest));
      const red = await store.findCheckLook("red", redDigest(check));
      return { ...examination, red_at: red?.looked_at ?? null };
    },
    redRun: (check) => {
      const look = { kind: "red", digest: redDigest(check), body: null, looked_at: clock().toISOString() } as const;
      return { on: "check_look", look };
    },
  };
}

/** What the answer of a check may depend on, apart from the machine. */
const subjectOf = ({ text, contract, commands, decoy_on }: ExaminedCheck) => ({
  text,
  decoy_on,
  target: contract.target,
  commands: [...commands],
  limit_ms: maxMs(contract),
  payload: text.includes("ORCH_PAYLOAD") ? contract.payload : null,
  task_id: text.includes("ORCH_TASK_ID") ? contract.task_id : null,
});

const redDigest = ({ text, contract: { intent, target } }: Pick<ExaminedCheck, "text" | "contract">): string =>
  digestOf({ text, intent, target_signature: targetSignature(target) });

async function examinationOf(
  deps: Deps,
  check: ExaminedCheck,
  programs: readonly string[],
  digest: string,
): Promise<Examination> {
  const { store, clock } = deps;
  const kept = await store.findCheckLook("examination", digest);
  if (kept !== null && isFresh(kept, clock())) return Examination.parse(kept.body);
  const body = await examine(deps, check, programs);
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

async function examine(
  { looks, home }: Deps,
  { text, contract, commands, decoy_on }: ExaminedCheck,
  programs: readonly string[],
): Promise<Examination> {
  const shell = shellContextOf(contract, home);
  const reads_before = readsBefore(text);
  const env = { ...stepEnvironment(contract), ...(reads_before && { ORCH_BEFORE: ANOTHER_WORD }) };
  const constant = constantExit(text, shell.env)?.why ?? null;
  const facts = { constant, chance: chanceIn(text), reads_before, red_at: null };
  if (constant !== null)
    return { ...facts, names_target: namesTarget(text, contract), joined: false, control: NOT_TRIED, decoy: null };
  const has_decoy = decoy_on !== "nowhere" && effectOf(text, shell).is === "reads";
  const limit_ms = maxMs(contract);
  const directory = contract.target["compose_dir"] ?? null;
  const masked = [text, ...commands].flatMap((one) => pathsIn(one, shell));
  const look = async (script: string): Promise<Seen> => {
    const [control, decoy] = await Promise.all([
      looks.control({ script, env, directory, masked, programs, limit_ms }),
      has_decoy
        ? looks.decoy(
            (place) => {
              const decoyed = decoyOf(script, contract.target, place);
              return { script: decoyed.text, env: { ...env, ...decoyed.env } };
            },
            { by_agent: decoy_on === "confined", limit_ms },
          )
        : null,
    ]);
    return { names_target: namesTarget(script, contract), control, decoy };
  };
  const seen = await look(text);
  const joined = isRedInBoth(seen) && (await isJoined(text, look));
  return { ...facts, ...seen, joined };
}

type Seen = Pick<Examination, "names_target" | "control" | "decoy">;

const namesTarget = (text: string, { target }: ExaminedCheck["contract"]): boolean =>
  decoyOf(text, target, "/nothing").names_target;

const isRedInBoth = ({ names_target, control, decoy }: Seen): boolean =>
  names_target && control.answer === "red" && control.world === "empty" && decoy?.answer === "red";

/** Whether no part of a conjunction is red in both looks. */
async function isJoined(text: string, look: (script: string) => Promise<Seen>): Promise<boolean> {
  const parts = conjunctsOf(text);
  for (const part of parts) if (isRedInBoth(await look(part))) return false;
  return parts.length > 0;
}

/** Not what any check printed: a check that is green with it does not compare. */
const ANOTHER_WORD = "what-a-check-printed-before";

const NOT_TRIED: Examination["control"] = {
  ...{ answer: "not_possible", exit_code: null, world: "empty", wrote: false },
  reason: "its exit code does not depend on the machine",
};
