// Compares the files that a step runs, and the tool that it calls, with what was judged, or approved: directly before the step, and the files
// again after it (D-239). A plan whose steps run no file and call no tool reads nothing.
import type { TaskContract } from "../domain/contract.ts";
import { type Reason, reason } from "../domain/outcome.ts";
import { pauses } from "../domain/polling.ts";
import { type BoundTool, type Disk, fileContext, textOf } from "../domain/script.ts";
import { isFreeOfFindings } from "../policy/judge-plan.ts";
import { spelledPattern } from "../policy/protected-resources.ts";
import type { StepObserver } from "../ports.ts";
import { type ChangedFiles, changedFiles, type JudgedOnDisk, type StepOnDisk } from "./judge-on-disk.ts";
import { type PlanDeps, pinned, pinnedTo, planOf } from "./plan.ts";
import type { Projection } from "./projection.ts";
import { boundTools, isOnlyUnread, staleText, type ToolDeps } from "./run-from-outside.ts";

export type StepComparison = {
  /** The observer, which lets no step start whose files or tool are not what was judged. */
  readonly watching: (observer: StepObserver) => StepObserver;
  /** Why the run was stopped; null when it was not. Resolves once the files of the last step are compared. */
  readonly stale: () => Promise<Reason | null>;
};

type ComparedRun = {
  readonly contract: TaskContract;
  readonly projection: Projection;
  readonly on_disk: JudgedOnDisk;
  /** As their servers defined them when the run began. */
  readonly tools: readonly BoundTool[];
  /** Aborted once no step may start any more. */
  readonly signal: AbortSignal;
};

/** What the files of the step were when it started. */
type Started = { readonly index: number; readonly step: StepOnDisk };

export function compareBeforeSteps(deps: PlanDeps & ToolDeps, run: ComparedRun): StepComparison {
  const { contract, projection, on_disk } = run;
  const disk = deps.backendOf(pinnedTo(contract, projection))?.disk;
  let stale: Reason | null = null;
  let started: Started | null = null;
  let compared: Promise<void> = Promise.resolve();

  const mayStart = async (index: number): Promise<boolean> => {
    stale = await whyNotTool(deps, run, index);
    const step = on_disk.steps[index];
    if (stale !== null) return false;
    if (step === undefined || step.known.size + step.lists.size === 0 || disk === undefined) return true;
    const changed = await changedFiles(step, disk);
    stale = await whyNotFiles(deps, run, index, changed);
    started = { index, step: { ...step, ...asOfNow(step, changed) } };
    return stale === null;
  };

  return {
    watching: (observer) => ({
      ...observer,
      started: async (index, attempt, more) => {
        await compared;
        return stale === null && (await mayStart(index)) && (await observer.started(index, attempt, more));
      },
      finished: (result) => {
        observer.finished(result);
        if (started?.index !== result.index || disk === undefined) return;
        compared = changeDuring(started, run, disk).then((why) => {
          stale ??= why;
        });
      },
    }),
    stale: async () => {
      await compared;
      return stale;
    },
  };
}

const isApprovedPlan = ({ projection }: ComparedRun): boolean => projection.approvals.requests.size > 0;

/** Of an approved plan, and of a version in use until a step may have changed them: they are those of its promotion. */
function isFixed(run: ComparedRun, index: number): boolean {
  const { steps, sop_id } = pinned(run.projection);
  const hasOnlyRead = (at: number) => run.on_disk.steps[at]?.consequences?.effect.is === "reads";
  const isUntouched = steps.slice(0, index).every(({ kind }, at) => pauses(kind) || hasOnlyRead(at));
  return isApprovedPlan(run) || (sop_id !== null && isUntouched);
}

const judgedAs = (run: ComparedRun, index: number): string => (isFixed(run, index) ? "approved" : "judged");

/** Null: the tool that the step calls, if any, is what was approved. */
async function whyNotTool(deps: PlanDeps & ToolDeps, run: ComparedRun, index: number): Promise<Reason | null> {
  const { contract, projection, tools, signal } = run;
  const { steps, sop_id } = pinned(projection);
  const isBound = isApprovedPlan(run) || sop_id !== null;
  if (!isBound || deps.backendOf(pinnedTo(contract, projection))?.remote === true) return null;
  const now = await boundTools(deps, steps.slice(index, index + 1), { before: tools, signal });
  const [then, found] = [
    { scripts: [], tools },
    { scripts: [], tools: now },
  ];
  const how = staleText(then, found);
  if (how === "") return null;
  return isOnlyUnread(then, found)
    ? reason("tool_list_unread", `Whether step ${index} is what was approved cannot be seen.${how}`, index)
    : reason("approval_stale", `Step ${index} is not what was approved.${how}`, index);
}

/** Null: the files of the step are what was judged or approved. */
async function whyNotFiles(
  deps: PlanDeps,
  run: ComparedRun,
  index: number,
  changed: ChangedFiles,
): Promise<Reason | null> {
  const { contract, projection, on_disk } = run;
  const { known, applied } = on_disk.steps[index] ?? { known: new Map(), applied: new Set() };
  const readable = new Map(
    [...changed.files].flatMap(([path, file]) => {
      const text = textOf(file);
      return text === null ? [] : [[path, text.judged] as const];
    }),
  );
  // What the plan itself has written, or what was not there, is judged as it is now.
  const shown = [...changed.files.keys()].filter((path) => on_disk.files.get(path)?.digest === known.get(path));
  const isJudgeable = shown.every((path) => readable.has(path) || applied.has(path));
  const isAllowed = isFixed(run, index) ? shown.length + changed.patterns.length === 0 : isJudgeable;
  const plan = planOf(deps, contract, projection);
  const judged = { ...plan, context: { ...plan.context, ...fileContext(on_disk.files) } };
  const isFree = async () => readable.size === 0 || (await deps.judge(isFreeOfFindings, judged, index, readable));
  if (isAllowed && (await isFree())) return null;
  const path = shown[0] ?? changed.patterns[0] ?? [...readable.keys()][0] ?? "";
  return reason(
    "approval_stale",
    `${spelledPattern(path)} is not what was ${judgedAs(run, index)} with step ${index}.`,
    index,
  );
}

/** What the plan has written before the step counts as it is now. */
function asOfNow({ known, lists }: StepOnDisk, { files, patterns }: ChangedFiles): Pick<StepOnDisk, "known" | "lists"> {
  const now = [...files].map(([path, file]) => [path, file?.digest ?? null] as const);
  return {
    known: new Map([...known, ...now]),
    lists: new Map([...lists].filter(([pattern]) => !patterns.includes(pattern))),
  };
}

/** What a command of the step itself writes is no change from outside. */
async function changeDuring({ index, step }: Started, run: ComparedRun, disk: Disk): Promise<Reason | null> {
  const { files, patterns } = await changedFiles(step, disk);
  const known = [...files.keys()].filter((one) => step.known.has(one));
  const path = [...patterns, ...known].find((one) => !step.rewrites.includes(one));
  if (path === undefined) return null;
  return reason(
    "approval_stale",
    `${spelledPattern(path)} changed while step ${index} ran; what ran may not be what was ${judgedAs(run, index)}.`,
    index,
  );
}
