// Judges a plan together with the files on disk that its steps run or apply (D-239). A plan that runs none reads nothing.
import type { Finding } from "../../domain/finding.ts";
import { digestOf } from "../../domain/json.ts";
import { type Disk, type FileOnDisk, fileContext, MAX_JUDGED_BYTES, type Script, textOf } from "../../domain/script.ts";
import type { Judge } from "../../ports.ts";
import { reachOfStep } from "../policy/category-consequences.ts";
import {
  examinePlan,
  type JudgedStep,
  type Plan,
  type PlanContext,
  planContract,
  type StepEffects,
  strictestFirst,
} from "../policy/judge-plan.ts";
import {
  everythingBelow,
  isDeepPattern,
  isPattern,
  matchesPattern,
  spelledPattern,
} from "../policy/protected-resources.ts";

// Reads the files that the guard names for the steps of a plan.

/** What a plan may run. More is not covered, and the plan asks. */
const MAX_FILES = 1_000;
const MAX_TEXT = 4 * 1024 * 1024;

type DiskReading = {
  readonly disk: Disk;
  readonly files: Map<string, FileOnDisk>;
  readonly lists: Map<string, Found>;
  readonly tried: Set<string>;
  /** Characters of all texts. */
  length: number;
  is_full: boolean;
};

const newReading = (disk: Disk | undefined): DiskReading => ({
  disk: disk ?? { read: async () => null, list: async () => null },
  files: new Map(),
  lists: new Map(),
  tried: new Set(),
  length: 0,
  is_full: false,
});

/** Whether there is a text that was not known before. */
async function readWanted(steps: readonly JudgedStep[], reading: DiskReading): Promise<boolean> {
  const { tried, lists, disk } = reading;
  const wanted = steps.flatMap(({ known, uses }) => [
    ...[...known].flatMap(([path, text]) => (text === null ? [path] : [])),
    ...uses.applied,
  ]);
  const applied = new Set(steps.flatMap(({ uses }) => uses.applied));
  const paths: string[] = [];
  for (const path of new Set(wanted)) {
    if (!isPattern(path)) {
      paths.push(path);
      continue;
    }
    if (!lists.has(path)) lists.set(path, bounded(await filesOf(path, disk), applied.has(path)));
    paths.push(...(lists.get(path) ?? []));
  }
  const before = reading.files.size;
  for (const path of new Set(paths)) {
    if (tried.has(path)) continue;
    tried.add(path);
    await readOne(path, reading);
  }
  // A directory that is applied is all that is in it.
  for (const path of applied) {
    const tree = everythingBelow(path);
    if (isPattern(path) || reading.files.has(path) || lists.has(tree) || (await disk.list(path)) === null) continue;
    lists.set(tree, bounded(await filesOf(tree, disk), true));
    for (const file of lists.get(tree) ?? []) {
      if (tried.has(file)) continue;
      tried.add(file);
      await readOne(file, reading);
    }
  }
  return reading.files.size > before;
}

/** A directory of definitions that is larger is not covered. */
const MAX_APPLIED = 500;

const bounded = (found: Found, isApplied: boolean): Found =>
  isApplied && found !== null && found.length > MAX_APPLIED ? null : found;

async function readOne(path: string, reading: DiskReading): Promise<void> {
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

export type JudgedOnDisk = {
  readonly findings: Finding[];
  /** What is not covered and is no reason to ask: it is named where something else asks. */
  readonly if_asked: readonly Finding[];
  readonly scripts: readonly Script[];
  readonly files: ReadonlyMap<string, FileOnDisk>;
  readonly steps: readonly StepOnDisk[];
};

/**
 * Without a disk the files are elsewhere, and what they hold is not judged. A call of an agent asks about no text that is
 * not covered, for nothing comes between its judgement and its run.
 */
export async function judgeOnDisk(
  judge: Judge,
  whole: Plan,
  disk: Disk | undefined,
  { names_uncovered }: { readonly names_uncovered: boolean } = { names_uncovered: true },
): Promise<JudgedOnDisk> {
  const plan = handedOver(whole);
  let judged = await judge(examinePlan, plan);
  const reading = newReading(disk);
  // What is blocked already is not run. Each round reads what the files of the one before it run.
  while (disk !== undefined && !isBlocked(judged.findings) && (await readWanted(judged.steps, reading)))
    judged = await judge(examinePlan, { ...plan, context: { ...plan.context, ...fileContext(reading.files) } });
  const steps = judged.steps.map((step) => onDisk(step, reading, disk !== undefined));
  const { scripts, files } = { scripts: scriptsIn(steps, reading), files: reading.files };
  const findings = strictestFirst([...judged.findings, ...unjudgedFindings(steps, reading)]);
  if (!names_uncovered) return { findings, if_asked: [], steps, files, scripts };
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

// Says of one step which files it runs, with their digests, and what of that an approval does not cover.

export type StepOnDisk = StepEffects & {
  /** The digest of each file; null of one that is not there. */
  readonly known: ReadonlyMap<string, string | null>;
  /** The files that match each pattern; null where there are too many. */
  readonly lists: ReadonlyMap<string, Found>;
  /** Files that are covered by their digest alone. */
  readonly not_judged: readonly string[];
  /** Files that a program applies, and no shell or interpreter runs. */
  readonly applied: ReadonlySet<string>;
  /** What the step runs and an approval does not cover, as sentences. */
  readonly not_covered: readonly string[];
  /** Files that commands of the step itself may write. */
  readonly rewrites: readonly string[];
};

function onDisk(step: JudgedStep, { files, lists: found }: DiskReading, isHere: boolean): StepOnDisk {
  const { known: judged, uses, ...rest } = step;
  const applied = uses.applied.map((path) => (found.has(everythingBelow(path)) ? everythingBelow(path) : path));
  const named = [...judged, ...applied.map((path) => [path, null] as const)];
  const lists = new Map(
    named.flatMap(([path]) =>
      isPattern(path) ? [[path, found.has(path) ? (found.get(path) ?? null) : []] as const] : [],
    ),
  );
  const known = new Map<string, string | null>();
  for (const [path, text] of named) {
    if (isPattern(path)) continue;
    const { digest, source } = digestAt(path, text, files);
    if (source !== null) known.set(source.path, source.digest);
    if (known.get(path) == null) known.set(path, digest);
  }
  for (const file of [...lists.values()].flatMap((list) => list ?? []))
    if (!known.has(file)) known.set(file, files.get(file)?.digest ?? null);
  const definitions = new Set(applied.flatMap((path) => found.get(path) ?? [path]));
  const isJudged = (path: string) => !definitions.has(path) && textOf(files.get(path) ?? null) !== null;
  const unlisted = [...lists].filter(([, list]) => list === null).map(([pattern]) => TOO_MANY(spelledPattern(pattern)));
  return {
    ...rest,
    known,
    lists,
    applied: definitions,
    not_judged: [...known.keys()].filter((path) => files.has(path) && !isJudged(path)),
    not_covered: isHere ? [...uses.uncovered, ...unlisted, ...outside(uses.loads, files)] : [],
    rewrites: uses.rewrites,
  };
}

/** Of a file that was judged with this text; null where it was judged without. `source`: the file that the plan makes a copy of. */
function digestAt(path: string, text: string | null, files: DiskReading["files"]) {
  const own = files.get(path) ?? null;
  if (text === null || textOf(own)?.judged === text) return { digest: own?.digest ?? null, source: null };
  const copied = [...files].find(([, file]) => textOf(file)?.judged === text);
  if (copied === undefined) return { digest: digestOf(text), source: null };
  const [source, { digest }] = copied;
  return { digest, source: { path: source, digest } };
}

const TOO_MANY = (pattern: string): string => `the files that match ${pattern} are not covered: there are too many`;

/** What code loads and is in none of the places that were looked in. */
function outside(loads: JudgedStep["uses"]["loads"], files: DiskReading["files"]): readonly string[] {
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

type Coverage = {
  readonly files?: { readonly path: string; readonly judged: boolean }[];
  readonly not_covered?: string[];
};

/** What people see of the files of a step; nothing of a step that runs none. */
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
export async function changedFiles(
  { known, lists }: Pick<StepOnDisk, "known" | "lists">,
  disk: Disk,
): Promise<ChangedFiles> {
  const files = new Map<string, FileOnDisk | null>();
  const patterns: string[] = [];
  for (const [path, before] of known) {
    const now = await disk.read(path);
    if ((now?.digest ?? null) !== before) files.set(path, now);
  }
  for (const [pattern, before] of lists) {
    const now = await filesOf(pattern, disk);
    // What the plan itself has written there is known.
    const added = (now ?? []).filter((path) => before?.includes(path) !== true && !known.has(path));
    const isSame = (now === null) === (before === null) && (before ?? []).every((path) => now?.includes(path));
    if (added.length > 0 || !isSame) patterns.push(pattern);
    for (const path of added) files.set(path, await disk.read(path));
  }
  return { files, patterns };
}

// Finds the files that match a pattern, as bash and find do.

/** More names than that are not looked through. */
const MAX_ENTRIES = 20_000;

/** Directories that programs write while they run. */
const MADE = /^(?:\.git|__pycache__)$/;

/** Null: there are too many names to look through. */
type Found = readonly string[] | null;

async function filesOf(pattern: string, disk: Disk): Promise<Found> {
  const parts = pattern.split("/");
  const fixed = parts.findIndex(isPattern);
  const isDeep = isDeepPattern(pattern);
  const found: string[] = [];
  let seen = 0;
  const walk = async (directory: string, at: number): Promise<boolean> => {
    const entries = (await disk.list(directory === "" ? "/" : directory)) ?? [];
    seen += entries.length;
    if (seen > MAX_ENTRIES) return false;
    for (const { name, is } of entries) {
      const path = `${directory}/${name}`;
      if (is === "file") {
        if (matchesPattern(pattern, path) && (isDeep || !isHidden(name, parts[at]))) found.push(path);
      } else if (enters(name, is, at) && !(await walk(path, at + 1))) return false;
    }
    return true;
  };
  const enters = (name: string, is: "directory" | "linked directory", at: number): boolean =>
    isDeep
      ? is === "directory" && !MADE.test(name)
      : at < parts.length - 1 && matchesPattern(parts[at] ?? "", name) && !isHidden(name, parts[at]);
  return (await walk(parts.slice(0, fixed).join("/"), fixed)) ? found.toSorted() : null;
}

/** `*` matches no name that begins with a dot. */
const isHidden = (name: string, part = ""): boolean => name.startsWith(".") && !part.startsWith(".");
