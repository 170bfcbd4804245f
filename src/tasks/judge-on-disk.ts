// Judges a plan together with the scripts on disk that its steps run (D-239). A plan that runs none reads nothing.
import type { Finding } from "../domain/finding.ts";
import { type Script, scriptsIn } from "../domain/script.ts";
import type { Step } from "../domain/step.ts";
import { examinePlan, judgeShell, type Plan, type StepFiles } from "../policy/judge-plan.ts";

/** The text of a short regular file; null for any other, and for one that cannot be read. */
export type TextAt = (path: string) => Promise<string | null>;

export type JudgedOnDisk = {
  readonly findings: Finding[];
  readonly scripts: readonly Script[];
  readonly texts: ReadonlyMap<string, string>;
  /** Of each step. */
  readonly files: readonly StepFiles[];
};

/** The scripts that the steps name, and those that these call. */
const LEVELS = 2;
const MAX_SCRIPTS = 16;

/** Without `textAt` the files are elsewhere, and what they hold is not judged. */
export async function judgeOnDisk(plan: Plan, textAt: TextAt | undefined): Promise<JudgedOnDisk> {
  let judged = examinePlan(plan);
  let texts: ReadonlyMap<string, string> = new Map();
  const tried = new Set<string>();
  for (let level = 0; level < LEVELS && textAt !== undefined; level += 1) {
    // What is blocked already is not run.
    const wanted = isBlocked(judged.findings) ? [] : wantedBy(judged.files).filter((path) => !tried.has(path));
    const found = await textsOf(wanted.slice(0, MAX_SCRIPTS - texts.size), textAt);
    for (const path of wanted) tried.add(path);
    if (found.length === 0) break;
    texts = new Map([...texts, ...found]);
    judged = examinePlan({ ...plan, context: { ...plan.context, scripts: texts } });
  }
  const run = new Set(judged.files.flatMap(({ known }) => [...known.keys()]));
  return { ...judged, texts, scripts: scriptsIn(new Map([...texts].filter(([path]) => run.has(path)))) };
}

const isBlocked = (findings: readonly Finding[]): boolean => findings.some(({ verdict }) => verdict === "block");

const wantedBy = (files: readonly StepFiles[]): string[] => [
  ...new Set(files.flatMap(({ known }) => [...known].flatMap(([path, text]) => (text === null ? [path] : [])))),
];

async function textsOf(paths: readonly string[], textAt: TextAt): Promise<(readonly [string, string])[]> {
  const read = await Promise.all(paths.map(async (path) => [path, await textAt(path)] as const));
  return read.flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
}

/**
 * The files that do not hold any more what the step was judged with, by path, with what they hold now; null where that cannot
 * be read.
 */
export async function changedFiles({ known }: StepFiles, textAt: TextAt): Promise<Map<string, string | null>> {
  const now = await Promise.all([...known].map(async ([path, before]) => [path, before, await textAt(path)] as const));
  return new Map(now.flatMap(([path, before, text]) => (text === before ? [] : [[path, text] as const])));
}

type Rejudged = Pick<Plan, "contract" | "intent" | "proved">;

/** Whether the step, with the texts that its files hold now, is without a finding. */
export function isFreeOfFindings(step: Step, plan: Rejudged, { context }: StepFiles, now: ReadonlyMap<string, string>) {
  if (step.kind !== "cmd" && step.kind !== "check") return true;
  const written = new Map([...(context.world?.files ?? [])].filter(([path]) => !now.has(path)));
  const world = context.world && { ...context.world, files: written };
  return (
    judgeShell(step.value, plan, { ...context, world, files: new Map([...(context.files ?? []), ...now]) }).found
      .length === 0
  );
}
