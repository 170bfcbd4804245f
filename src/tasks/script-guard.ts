// Compares the files that a step runs with what was judged, or approved: directly before the step, and again after it (D-239). A plan
// whose steps run no file reads nothing.
import type { TaskContract } from "../domain/contract.ts";
import { type Reason, reason } from "../domain/outcome.ts";
import { judgedTexts, textOf } from "../domain/script.ts";
import type { StepResult } from "../domain/step.ts";
import { spelledPattern } from "../guard/guard.ts";
import { isFreeOfFindings } from "../policy/judge-plan.ts";
import type { StepObserver } from "../ports.ts";
import { type ChangedFiles, changedFiles, type JudgedOnDisk, type StepOnDisk } from "./judge-on-disk.ts";
import { type PlanDeps, pinnedTo, planOf } from "./plan.ts";
import type { Projection } from "./projection.ts";

export type ScriptGuard = {
  /** The observer, which lets no step start whose files are not what was judged. */
  readonly watching: (observer: StepObserver) => StepObserver;
  /** Why the run was stopped; null when it was not. Resolves once the files of the last step are compared. */
  readonly stale: () => Promise<Reason | null>;
};

type Guarded = { readonly contract: TaskContract; readonly projection: Projection; readonly on_disk: JudgedOnDisk };

export function scriptGuard(deps: PlanDeps, { contract, projection, on_disk }: Guarded): ScriptGuard {
  const disk = deps.backendOf(pinnedTo(contract, projection))?.disk;
  const plan = planOf(deps, contract, projection);
  const judged = { ...plan, context: { ...plan.context, scripts: judgedTexts(on_disk.files) } };
  const is_approved = projection.approvals.requests.size > 0;
  const judgedAs = is_approved ? "approved" : "judged";
  let stale: Reason | null = null;
  /** What the files of the step were when it started. */
  let running: { readonly index: number; readonly files: StepOnDisk["known"] } | null = null;
  let compared: Promise<void> = Promise.resolve();

  const isAsJudged = async (index: number): Promise<boolean> => {
    const step = on_disk.steps[index];
    if (step === undefined || step.known.size === 0 || disk === undefined) return true;
    const changed = await changedFiles(step, disk);
    const readable = new Map(
      [...changed.files].flatMap(([path, file]) => {
        const text = textOf(file);
        return text === null ? [] : [[path, text.judged] as const];
      }),
    );
    // What the plan itself has written, or what was not there, is judged as it is now.
    const shown = [...changed.files.keys()].filter((path) => on_disk.files.get(path)?.digest === step.known.get(path));
    const isJudgeable = shown.every((path) => readable.has(path) || step.applied.has(path));
    const isAllowed = is_approved ? shown.length + changed.patterns.length === 0 : isJudgeable;
    const isFree = async () => readable.size === 0 || (await deps.judge(isFreeOfFindings, judged, index, readable));
    if (isAllowed && (await isFree())) {
      running = { index, files: filesNow(step, changed) };
      return true;
    }
    const path = shown[0] ?? changed.patterns[0] ?? [...readable.keys()][0] ?? "";
    stale = reason("approval_stale", `${spelledPattern(path)} is not what was ${judgedAs} with step ${index}.`, index);
    return false;
  };

  /** What a command of the step itself writes is no change from outside. */
  const compareAfter = async ({ index }: StepResult): Promise<void> => {
    const step = on_disk.steps[index];
    if (running?.index !== index || step === undefined || disk === undefined || stale !== null) return;
    const { files, patterns } = await changedFiles({ known: running.files }, disk);
    const path = [...files.keys(), ...patterns].find(
      (one) => running?.files.has(one) === true && !step.rewrites.includes(one),
    );
    if (path === undefined) return;
    stale = reason(
      "approval_stale",
      `${spelledPattern(path)} changed while step ${index} ran; what ran may not be what was ${judgedAs}.`,
      index,
    );
  };

  return {
    watching: (observer) => ({
      ...observer,
      started: async (index, attempt, more) => {
        await compared;
        return stale === null && (await isAsJudged(index)) && (await observer.started(index, attempt, more));
      },
      finished: (result) => {
        observer.finished(result);
        compared = compareAfter(result);
      },
    }),
    stale: async () => {
      await compared;
      return stale;
    },
  };
}

/** The files as they are when the step starts: what the plan has written before counts as it is now. */
function filesNow({ known }: StepOnDisk, { files, patterns }: ChangedFiles): StepOnDisk["known"] {
  const now = new Map(known);
  for (const [path, file] of files) now.set(path, file?.digest ?? null);
  for (const pattern of patterns) now.delete(pattern);
  return now;
}
