// Judges a plan together with the files on disk that its steps run or apply (D-239). A plan that runs none reads nothing.
import type { Finding } from "../domain/finding.ts";
import { digestOf } from "../domain/json.ts";
import { type Disk, type FileOnDisk, judgedTexts, MAX_JUDGED_BYTES, type Script, textOf } from "../domain/script.ts";
import { everythingBelow, isPattern, spelledPattern } from "../guard/guard.ts";
import { reachOfStep } from "../policy/command-reach.ts";
import {
  examinePlan,
  type JudgedStep,
  type Plan,
  type PlanContext,
  planContract,
  strictestFirst,
} from "../policy/judge-plan.ts";
import type { Judge } from "../ports.ts";
import { type Found, filesOf } from "./files-on-disk.ts";

/** What a step runs, as it was judged. */
export type StepOnDisk = Omit<JudgedStep, "known" | "uses"> & {
  /** The digest of each file; of a pattern, that of the list of its files. Null of a file that is not there. */
  readonly known: ReadonlyMap<string, string | null>;
  /** Files that are covered by their digest alone. */
  readonly not_judged: readonly string[];
  /** Of them, those that a program applies and no shell or interpreter runs. */
  readonly applied: ReadonlySet<string>;
  /** What the step runs and an approval does not cover, as sentences. */
  readonly not_covered: readonly string[];
  /** Files that commands of the step itself may write. */
  readonly rewrites: readonly string[];
};

export type JudgedOnDisk = {
  readonly findings: Finding[];
  readonly scripts: readonly Script[];
  readonly files: ReadonlyMap<string, FileOnDisk>;
  readonly steps: readonly StepOnDisk[];
};

/** What a plan may run. More is not covered, and the plan asks. */
const MAX_FILES = 1_000;
const MAX_TEXT = 4 * 1024 * 1024;

type Reading = {
  readonly disk: Disk;
  readonly files: Map<string, FileOnDisk>;
  readonly lists: Map<string, Found>;
  readonly tried: Set<string>;
  /** Characters of all texts. */
  length: number;
  is_full: boolean;
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
  const none = { read: async () => null, list: async () => null };
  const reading: Reading = {
    disk: disk ?? none,
    files: new Map(),
    lists: new Map(),
    tried: new Set(),
    length: 0,
    is_full: false,
  };
  // What is blocked already is not run. Each round reads what the files of the one before it run.
  while (disk !== undefined && !isBlocked(judged.findings) && (await readWanted(judged.steps, reading)))
    judged = await judge(examinePlan, { ...plan, context: { ...plan.context, scripts: judgedTexts(reading.files) } });
  const steps = judged.steps.map((step) => onDisk(step, reading, disk !== undefined));
  const uncovered = names_uncovered ? uncoveredFindings(steps, reading, asksAbout(whole, judged.findings)) : [];
  const found = uncovered.length === 0 ? judged.findings : strictestFirst([...judged.findings, ...uncovered]);
  return { findings: found, steps, files: reading.files, scripts: scriptsIn(steps, reading) };
}

/** Where the plan is judged, with the texts of the scripts that it runs. */
export async function contextOnDisk(judge: Judge, plan: Plan, disk: Disk | undefined): Promise<PlanContext> {
  const { files } = await judgeOnDisk(judge, plan, disk);
  return { ...plan.context, scripts: judgedTexts(files) };
}

/** A flow engine is sent the whole contract, so that all of it is judged. */
const handedOver = (plan: Plan): Plan =>
  plan.context.remote ? plan : { ...plan, contract: planContract(plan.contract) };

const isBlocked = (findings: readonly Finding[]): boolean => findings.some(({ verdict }) => verdict === "block");

/** A supervisor has approved what a procedure in use runs; where it asks anyway, the question names what it does not cover. */
const asksAbout = ({ proved }: Plan, findings: readonly Finding[]): boolean => !proved || findings.length > 0;

/** Whether there is a text that was not known before. */
async function readWanted(steps: readonly JudgedStep[], reading: Reading): Promise<boolean> {
  const { tried, lists, disk } = reading;
  const wanted = steps.flatMap(({ known, uses }) => [
    ...[...known].flatMap(([path, text]) => (text === null ? [path] : [])),
    ...uses.applied,
  ]);
  const paths: string[] = [];
  for (const path of new Set(wanted)) {
    if (!isPattern(path)) {
      paths.push(path);
      continue;
    }
    if (!lists.has(path)) lists.set(path, await filesOf(path, disk));
    paths.push(...(lists.get(path) ?? []));
  }
  const before = reading.files.size;
  for (const path of new Set(paths)) {
    if (tried.has(path)) continue;
    tried.add(path);
    await readOne(path, reading);
  }
  // A directory that is applied is all that is in it.
  for (const path of new Set(steps.flatMap(({ uses }) => uses.applied))) {
    const tree = everythingBelow(path);
    if (isPattern(path) || reading.files.has(path) || lists.has(tree) || (await disk.list(path)) === null) continue;
    lists.set(tree, await filesOf(tree, disk));
    for (const file of lists.get(tree) ?? []) {
      if (tried.has(file)) continue;
      tried.add(file);
      await readOne(file, reading);
    }
  }
  return reading.files.size > before;
}

async function readOne(path: string, reading: Reading): Promise<void> {
  if (reading.files.size >= MAX_FILES) {
    reading.is_full = true;
    return;
  }
  const file = await reading.disk.read(path);
  if (file === null) return;
  const { text = "" } = textOf(file) ?? {};
  reading.length += text.length;
  reading.files.set(path, reading.length > MAX_TEXT ? { ...file, content: "too long" } : file);
}

function onDisk(step: JudgedStep, { files, lists }: Reading, isHere: boolean): StepOnDisk {
  const { known: judged, uses, ...rest } = step;
  const known = new Map<string, string | null>();
  const applied = uses.applied.flatMap((path) =>
    [path, everythingBelow(path)].filter((one) => lists.has(one) || files.has(one)),
  );
  const tooMany: string[] = [];
  const digestAt = (path: string, text: string | null): string | null => {
    const own = files.get(path);
    if (text === null || textOf(own ?? null)?.judged === text) return own?.digest ?? null;
    // A copy that the plan makes of a script holds what the script holds.
    const copied = [...files].find(([, file]) => textOf(file)?.judged === text);
    if (copied === undefined) return digestOf(text);
    const [source, { digest }] = copied;
    if (!known.has(source)) known.set(source, digest);
    return digest;
  };
  for (const [path, text] of [...judged, ...applied.map((path) => [path, null] as const)]) {
    if (!isPattern(path)) {
      if (!known.has(path)) known.set(path, digestAt(path, text));
      continue;
    }
    const list = lists.get(path) ?? null;
    if (list === null && lists.has(path)) tooMany.push(spelledPattern(path));
    known.set(path, listDigest(list));
    for (const file of list ?? []) if (!known.has(file)) known.set(file, files.get(file)?.digest ?? null);
  }
  const definitions = new Set(applied.flatMap((path) => lists.get(path) ?? [path]));
  return {
    ...rest,
    known,
    applied: definitions,
    not_judged: [...known.keys()].filter(
      (path) => files.has(path) && (definitions.has(path) || textOf(files.get(path) ?? null) === null),
    ),
    not_covered: isHere ? [...uses.uncovered, ...tooMany.map(TOO_MANY), ...outside(uses.loads, files)] : [],
    rewrites: uses.rewrites,
  };
}

const TOO_MANY = (pattern: string): string => `what ${pattern} stands for is not covered: there are too many files`;

/** What an approval covers of a pattern is the list of its files: a file that is new in it is a change. */
const listDigest = (found: Found): string => digestOf({ names: found });

/** What code loads and is in none of the places that were looked in. */
function outside(loads: JudgedStep["uses"]["loads"], files: Reading["files"]): readonly string[] {
  const missing = new Map<string, string[]>();
  for (const { by, name, candidates } of loads) {
    if (candidates.some((path) => files.has(path))) continue;
    missing.set(by, [...(missing.get(by) ?? []), name]);
  }
  return [...missing].map(
    ([by, names]) =>
      `what ${by} loads from elsewhere is not covered: ${[...new Set(names)].slice(0, MAX_NAMED).join(", ")}`,
  );
}

const MAX_NAMED = 12;

function uncoveredFindings(steps: readonly StepOnDisk[], { files, is_full }: Reading, asks: boolean): Finding[] {
  return steps.flatMap((step, step_index) => {
    const scripts = [...step.known.keys()].filter(
      (path) => files.get(path)?.content === "too long" && !step.applied.has(path),
    );
    const all: [Finding["code"], string][] = [
      ...scripts.map((path): [Finding["code"], string] => ["cap.length", tooLong(path)]),
      ...(is_full && step.known.size > 0 ? [["cap.count", FULL] as [Finding["code"], string]] : []),
      ...(asks ? step.not_covered.map((what): [Finding["code"], string] => ["dyn.operand", what]) : []),
    ];
    return all.map(([code, reason]) => ({
      step_index,
      verdict: "ask" as const,
      code,
      reason,
      command: null,
      category: null,
      ...reachOfStep(step),
    }));
  });
}

const tooLong = (path: string): string =>
  `${path} is longer than ${MAX_JUDGED_BYTES / 1024} KiB, so its text is not judged; an approval covers it by its digest`;
const FULL = `the plan runs more than ${MAX_FILES} files, and an approval does not cover the others; run fewer`;

/** Without those that only the plan itself writes. */
function scriptsIn(steps: readonly StepOnDisk[], { files, lists }: Reading): Script[] {
  const all = new Map(steps.flatMap(({ known }) => [...known]));
  return [...all]
    .flatMap(([path, listed]) => {
      const digest = isPattern(path) && lists.has(path) ? listed : files.get(path)?.digest;
      return digest === undefined || digest === null ? [] : [{ path: spelledPattern(path), digest }];
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

type Coverage = {
  readonly files?: { readonly path: string; readonly judged: boolean }[];
  readonly not_covered?: string[];
};

/** What people are told of the files of a step; nothing of a step that runs none. */
export function coverageOf(step: StepOnDisk | undefined): Coverage {
  if (step === undefined) return {};
  const { known, not_judged, not_covered } = step;
  const files = [...known]
    .filter(([, digest]) => digest !== null)
    .map(([path]) => ({ path: spelledPattern(path), judged: !not_judged.includes(path) }));
  return { ...(files.length > 0 && { files }), ...(not_covered.length > 0 && { not_covered: [...not_covered] }) };
}

export type ChangedFiles = {
  /** What the files hold now; null where that cannot be read. */
  readonly files: ReadonlyMap<string, FileOnDisk | null>;
  /** Patterns that stand for other files now. */
  readonly patterns: readonly string[];
};

/** What of the step is not as it was judged, and the files that were not there. */
export async function changedFiles({ known }: Pick<StepOnDisk, "known">, disk: Disk): Promise<ChangedFiles> {
  const files = new Map<string, FileOnDisk | null>();
  const patterns: string[] = [];
  for (const [path, before] of known) {
    if (!isPattern(path)) {
      const now = await disk.read(path);
      if ((now?.digest ?? null) !== before) files.set(path, now);
      continue;
    }
    const found = await filesOf(path, disk);
    if (listDigest(found) === before) continue;
    patterns.push(path);
    for (const file of found ?? []) if (!known.has(file)) files.set(file, await disk.read(file));
  }
  return { files, patterns };
}
