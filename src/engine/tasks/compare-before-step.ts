// Compares the files that a step runs, and the tool that it calls, with what was judged, or approved: directly before the step, and the files
// again after it (D-239). A plan whose steps run no file and call no tool reads nothing.

import { structuredPatch } from "diff";
import type { TaskContract } from "../../domain/contract.ts";
import { isQuarantined } from "../../domain/errors.ts";
import type { Finding } from "../../domain/finding.ts";
import { type Reason, reason } from "../../domain/outcome.ts";
import { printable } from "../../domain/printable.ts";
import {
  type BoundTool,
  type Disk,
  fileContext,
  type KeptTexts,
  type Script,
  textOf,
  toolName,
} from "../../domain/script.ts";
import type { Procedure } from "../../domain/sop.ts";
import { pauses } from "../../domain/step-run.ts";
import type { StepObserver, Store } from "../../ports.ts";
import { isFreeOfFindings } from "../policy/judge-plan.ts";
import { spelledPattern } from "../policy/protected-resources.ts";
import { promotionOf } from "./active-sop.ts";
import { type ChangedFiles, changedFiles, type JudgedOnDisk, type StepOnDisk } from "./judge-on-disk.ts";
import {
  boundTools,
  callsIn,
  type Difference,
  differences,
  isOnlyUnread,
  type PlanDeps,
  pinned,
  pinnedTo,
  planOf,
  type RunFromOutside,
  staleText,
  type ToolDeps,
} from "./plan.ts";
import { type Projection, projection } from "./projection.ts";

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

// Finds the scripts and the tools of a version in use that are not what its promotion showed, or what ran under approval since.

/** So that a later change can be shown. */
export const keepTexts = async (
  kept: KeptTexts | undefined,
  { scripts, files }: Pick<JudgedOnDisk, "scripts" | "files">,
): Promise<void> =>
  kept?.keep(
    scripts.flatMap(({ path, digest }) => {
      const text = textOf(files.get(path) ?? null)?.judged;
      return text === undefined ? [] : [{ digest, text }];
    }),
  );

const MOST_LINES = 40;

/** The changed lines of a script with those around them; empty where one of its texts is not known. */
async function scriptChange(
  kept: KeptTexts | undefined,
  path: string,
  before: readonly Script[],
  now: readonly Script[],
): Promise<string> {
  const textIn = async (scripts: readonly Script[]): Promise<string | null> => {
    const digest = scripts.find((script) => script.path === path)?.digest;
    return digest === undefined ? null : ((await kept?.read(digest)) ?? null);
  };
  const [older, newer] = [await textIn(before), await textIn(now)];
  if (older === null || newer === null) return "";
  const lines = structuredPatch("", "", older, newer, "", "", { context: 2 }).hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart} +${hunk.newStart} @@`,
    ...hunk.lines,
  ]);
  const more = lines.length > MOST_LINES ? [`… and ${lines.length - MOST_LINES} more lines`] : [];
  return ["", ...lines.slice(0, MOST_LINES).map((line) => printable(line.slice(0, MOST_OF_A_LINE))), ...more].join(
    "\n",
  );
}

const MOST_OF_A_LINE = 200;

type Reads = Pick<Store, "findSop" | "listTasks" | "readJournal" | "listApprovals">;

type JudgedProcedure = {
  readonly procedure: Pick<Procedure, "sop_id" | "sop_version" | "steps">;
  readonly on_disk: Pick<JudgedOnDisk, "scripts" | "steps">;
  readonly kept: KeptTexts | undefined;
};

/**
 * What the procedure runs that is not in it, compared with what is on record of its version. A version whose scripts or tools are not as they
 * were approved, or as they ran under approval last, is on its first run again: `changed`.
 */
export async function outsideNow(
  deps: ToolDeps & { readonly store: Reads },
  { procedure, on_disk, kept }: JudgedProcedure,
  signal?: AbortSignal,
): Promise<RunFromOutside & { readonly changed: readonly Finding[] }> {
  const { sop_id } = procedure;
  const { scripts, steps } = on_disk;
  const paths = steps.flatMap(namesOf);
  const names = callsIn(procedure.steps).map(toolName);
  const wanted = new Set([...paths, ...names]);
  const record = sop_id === null || wanted.size === 0 ? NO_RECORD : await approvedRecord(deps.store, sop_id, wanted);
  const tools = await boundTools(deps, procedure.steps, { before: record.tools, signal });
  const before = { scripts: record.scripts.filter(({ path }) => paths.includes(path)), tools: record.tools };
  // The promotion of an earlier orch recorded no scripts: the first run records what it finds.
  const compared = scripts.filter(({ path }) => record.isWhole || before.scripts.some((one) => one.path === path));
  const stepOf = ({ of }: Difference): number =>
    Math.max(
      0,
      steps.findIndex(
        (step, index) =>
          namesOf(step).includes(of) ||
          callsIn(procedure.steps.slice(index, index + 1))
            .map(toolName)
            .includes(of),
      ),
    );
  const found = differences(before, { scripts: compared, tools });
  const lines = new Map(
    await Promise.all(
      found.map(async ({ of }) => [of, deps.redact(await scriptChange(kept, of, before.scripts, compared))] as const),
    ),
  );
  const changed = found.map(
    (difference): Finding => ({
      step_index: stepOf(difference),
      verdict: "ask",
      code: "safety.not_as_promoted",
      reason: `${difference.of} is not what version ${procedure.sop_version} was approved with, so this counts as its first run: ${difference.how}${lines.get(difference.of) ?? ""}`,
      command: null,
      category: null,
    }),
  );
  return { scripts, tools, changed };
}

/** As approvals name them: the files of the step, and the patterns whose files it runs. */
const namesOf = ({ known, lists }: StepOnDisk): string[] => [
  ...known.keys(),
  ...[...lists.keys()].map((pattern) => spelledPattern(pattern)),
];

/** A run that has not ended well settles nothing. */
const RUNS_READ = 25;

type ApprovedRecord = RunFromOutside & {
  /** Whether the promotion recorded every script that the steps ran. */
  readonly isWhole: boolean;
};

const NO_RECORD: ApprovedRecord = { scripts: [], tools: [], isWhole: false };

const unlessDamaged = (error: unknown): [] => {
  if (isQuarantined(error)) return [];
  throw error;
};

/** The last runs that have passed come first: each ran what was approved before it, or asked. Then what the promotion shows. */
async function approvedRecord(store: Reads, sop_id: string, wanted: ReadonlySet<string>): Promise<ApprovedRecord> {
  const scripts = new Map<string, Script>();
  const tools = new Map<string, BoundTool>();
  const add = (record: RunFromOutside): void => {
    for (const script of record.scripts) if (!scripts.has(script.path)) scripts.set(script.path, script);
    for (const tool of record.tools)
      if (tool.digest !== null && !tools.has(toolName(tool))) tools.set(toolName(tool), tool);
  };
  const sop = await store.findSop(sop_id);
  const runs =
    sop === null
      ? []
      : await store.listTasks({ target_signature: sop.target_signature, sop_id, status: "ok", limit: RUNS_READ });
  for (const { task_id } of runs) {
    if ([...wanted].every((name) => scripts.has(name) || tools.has(name))) break;
    // What cannot be read any more says nothing.
    add(projection(await store.readJournal(task_id).catch(unlessDamaged)));
  }
  const promoted = sop === null ? null : await promotionOf(store, sop);
  if (promoted !== null) add({ scripts: promoted.scripts ?? [], tools: promoted.tools ?? [] });
  const isWhole = promoted?.scripts !== undefined;
  return { scripts: [...scripts.values()], tools: [...tools.values()], isWhole };
}
