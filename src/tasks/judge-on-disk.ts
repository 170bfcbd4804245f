// Judges a plan together with the files on disk that its steps run or apply (D-239). A plan that runs none reads nothing.
import type { Finding } from "../domain/finding.ts";
import { digestOf } from "../domain/json.ts";
import { type Disk, type FileOnDisk, fileContext, MAX_JUDGED_BYTES, type Script } from "../domain/script.ts";
import { reachOfStep } from "../policy/command-reach.ts";
import { spelledPattern } from "../policy/file-patterns.ts";
import { examinePlan, type Plan, type PlanContext, planContract, strictestFirst } from "../policy/judge-plan.ts";
import type { Judge } from "../ports.ts";
import { type DiskReading, MAX_FILES, newReading, readWanted } from "./read-wanted.ts";
import { onDisk, type StepOnDisk } from "./step-on-disk.ts";

export type JudgedOnDisk = {
  readonly findings: Finding[];
  /** What is not covered and is no reason to ask: it is named where something else asks. */
  readonly if_asked: readonly Finding[];
  readonly scripts: readonly Script[];
  readonly files: ReadonlyMap<string, FileOnDisk>;
  readonly steps: readonly StepOnDisk[];
};

type Asks = { readonly names_uncovered: boolean };

/**
 * Without a disk the files are elsewhere, and what they hold is not judged. A call of an agent asks nothing more, for nothing comes
 * between its judgement and its run.
 */
export async function judgeOnDisk(
  judge: Judge,
  whole: Plan,
  disk: Disk | undefined,
  { names_uncovered }: Asks = { names_uncovered: true },
): Promise<JudgedOnDisk> {
  const plan = handedOver(whole);
  let judged = await judge(examinePlan, plan);
  const reading = newReading(disk);
  // What is blocked already is not run. Each round reads what the files of the one before it run.
  while (disk !== undefined && !isBlocked(judged.findings) && (await readWanted(judged.steps, reading)))
    judged = await judge(examinePlan, { ...plan, context: { ...plan.context, ...fileContext(reading.files) } });
  const steps = judged.steps.map((step) => onDisk(step, reading, disk !== undefined));
  const { scripts, files } = { scripts: scriptsIn(steps, reading), files: reading.files };
  if (!names_uncovered) return { findings: judged.findings, if_asked: [], steps, files, scripts };
  const findings = strictestFirst([...judged.findings, ...unjudgedFindings(steps, reading)]);
  const uncovered = uncoveredFindings(steps);
  // A supervisor has approved what a procedure in use runs; where it asks anyway, the question names what it does not cover.
  const if_asked = uncovered.filter(({ isUnlisted }) => whole.proved && !isUnlisted).map(({ finding }) => finding);
  const asked = uncovered.map(({ finding }) => finding).filter((finding) => !if_asked.includes(finding));
  return { ...withUncovered(strictestFirst([...findings, ...asked]), if_asked), steps, files, scripts };
}

/** Where something asks, the question names all that an approval does not cover. */
export function withUncovered(
  findings: Finding[],
  if_asked: readonly Finding[],
): Pick<JudgedOnDisk, "findings" | "if_asked"> {
  if (findings.length === 0 || if_asked.length === 0) return { findings, if_asked };
  return { findings: strictestFirst([...findings, ...if_asked]), if_asked: [] };
}

/** Where the plan is judged, with the texts of the scripts that it runs. */
export async function contextOnDisk(judge: Judge, plan: Plan, disk: Disk | undefined): Promise<PlanContext> {
  const { files } = await judgeOnDisk(judge, plan, disk);
  return { ...plan.context, ...fileContext(files) };
}

/** A flow engine is sent the whole contract, so that all of it is judged. */
const handedOver = (plan: Plan): Plan =>
  plan.context.remote ? plan : { ...plan, contract: planContract(plan.contract) };

const isBlocked = (findings: readonly Finding[]): boolean => findings.some(({ verdict }) => verdict === "block");

/** Texts that are run and were not judged: a blocked operation may be in them. */
function unjudgedFindings(steps: readonly StepOnDisk[], { files, is_full }: DiskReading): Finding[] {
  return steps.flatMap((step, step_index) => {
    const scripts = [...step.known.keys()].filter(
      (path) => files.get(path)?.content === "too long" && !step.applied.has(path),
    );
    return [
      ...scripts.map((path) => asks(step, step_index, "cap.length", tooLong(path))),
      ...(is_full && step.known.size > 0 ? [asks(step, step_index, "cap.count", FULL)] : []),
    ];
  });
}

const uncoveredFindings = (steps: readonly StepOnDisk[]) =>
  steps.flatMap((step, step_index) => {
    const isUnlisted = [...step.lists].some(([pattern, list]) => list === null && !step.applied.has(pattern));
    return step.not_covered.map((what) => ({ finding: asks(step, step_index, "dyn.operand", what), isUnlisted }));
  });

const asks = (step: StepOnDisk, step_index: number, code: Finding["code"], reason: string): Finding => ({
  step_index,
  verdict: "ask",
  code,
  reason,
  command: null,
  category: null,
  ...reachOfStep(step),
});

const tooLong = (path: string): string =>
  `${path} is longer than ${MAX_JUDGED_BYTES / 1024} KiB, so its text is not judged; an approval covers it by its digest`;
const FULL = `the plan runs more than ${MAX_FILES} files, and an approval does not cover the others; run fewer`;

/** Without those that only the plan itself writes. A file that is new in a pattern is a change. */
function scriptsIn(steps: readonly StepOnDisk[], { files }: DiskReading): Script[] {
  const paths = new Set(steps.flatMap(({ known }) => [...known.keys()]));
  const read = [...paths].flatMap((path) => {
    const digest = files.get(path)?.digest;
    return digest === undefined ? [] : [{ path, digest }];
  });
  const listed = new Map(
    steps
      .flatMap(({ lists }) => [...lists])
      .map(([pattern, names]) => [spelledPattern(pattern), digestOf({ names })] as const),
  );
  return [...read, ...[...listed].map(([path, digest]) => ({ path, digest }))].toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}
