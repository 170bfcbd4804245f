// Judges a plan together with the scripts on disk that its steps run (D-239). A plan that runs none reads nothing.
import type { Finding } from "../domain/finding.ts";
import { judgedTexts, type Script, type ScriptText, scriptsIn } from "../domain/script.ts";
import { examinePlan, type JudgedStep, type Plan, type PlanContext, planContract } from "../policy/judge-plan.ts";
import type { Judge } from "../ports.ts";

/** The text of a short regular file; null for any other, and for one that cannot be read. */
export type TextAt = (path: string) => Promise<ScriptText | null>;

type Texts = ReadonlyMap<string, ScriptText>;

export type JudgedOnDisk = {
  readonly findings: Finding[];
  readonly scripts: readonly Script[];
  readonly texts: Texts;
  /** Of each step. The texts that it knows are those of the files. */
  readonly steps: readonly JudgedStep[];
};

/** The scripts that the steps name, and those that these call. */
const LEVELS = 2;
const MAX_SCRIPTS = 16;

/** Without `textAt` the files are elsewhere, and what they hold is not judged. */
export async function judgeOnDisk(judge: Judge, whole: Plan, textAt: TextAt | undefined): Promise<JudgedOnDisk> {
  const plan = handedOver(whole);
  let judged = await judge(examinePlan, plan);
  let texts: Texts = new Map();
  const tried = new Set<string>();
  for (let level = 0; level < LEVELS && textAt !== undefined; level += 1) {
    // What is blocked already is not run.
    const wanted = isBlocked(judged.findings) ? [] : wantedBy(judged.steps).filter((path) => !tried.has(path));
    const found = await textsOf(wanted.slice(0, MAX_SCRIPTS - texts.size), textAt);
    for (const path of wanted) tried.add(path);
    if (found.length === 0) break;
    texts = new Map([...texts, ...found]);
    judged = await judge(examinePlan, { ...plan, context: { ...plan.context, scripts: judgedTexts(texts) } });
  }
  const steps = judged.steps.map((step) => ({ ...step, known: asInFiles(step.known, texts) }));
  const run = new Set(steps.flatMap(({ known }) => [...known.keys()]));
  return { ...judged, steps, texts, scripts: scriptsIn(new Map([...texts].filter(([path]) => run.has(path)))) };
}

/** Where the plan is judged, with the texts of the scripts that it runs. */
export async function contextOnDisk(judge: Judge, plan: Plan, textAt: TextAt | undefined): Promise<PlanContext> {
  const { texts } = await judgeOnDisk(judge, plan, textAt);
  return { ...plan.context, scripts: judgedTexts(texts) };
}

/** A flow engine is sent the whole contract, so that all of it is judged. */
const handedOver = (plan: Plan): Plan =>
  plan.context.remote ? plan : { ...plan, contract: planContract(plan.contract) };

const isBlocked = (findings: readonly Finding[]): boolean => findings.some(({ verdict }) => verdict === "block");

const wantedBy = (steps: readonly JudgedStep[]): string[] => [
  ...new Set(steps.flatMap(({ known }) => [...known].flatMap(([path, text]) => (text === null ? [path] : [])))),
];

/** A copy that the plan makes of a script holds what the script holds. */
function asInFiles(known: JudgedStep["known"], texts: Texts): JudgedStep["known"] {
  const held = new Map([...texts.values()].map(({ judged, text }) => [judged, text]));
  const textOf = (path: string, judged: string | null): string | null => {
    if (judged === null) return null;
    const own = texts.get(path);
    return own?.judged === judged ? own.text : (held.get(judged) ?? judged);
  };
  return new Map([...known].map(([path, judged]) => [path, textOf(path, judged)]));
}

async function textsOf(paths: readonly string[], textAt: TextAt): Promise<(readonly [string, ScriptText])[]> {
  const read = await Promise.all(paths.map(async (path) => [path, await textAt(path)] as const));
  return read.flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
}

/**
 * The files that do not hold any more what the step was judged with, by path, with what they hold now; null where that cannot
 * be read.
 */
export async function changedFiles({ known }: JudgedStep, textAt: TextAt): Promise<Map<string, ScriptText | null>> {
  const now = await Promise.all([...known].map(async ([path, before]) => [path, before, await textAt(path)] as const));
  return new Map(
    now.flatMap(([path, before, text]) => ((text?.text ?? null) === before ? [] : [[path, text] as const])),
  );
}
