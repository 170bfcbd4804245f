// Says of one step which files it runs, with their digests, and what of that an approval does not cover.
import { digestOf } from "../domain/json.ts";
import { type Disk, type FileOnDisk, textOf } from "../domain/script.ts";
import { everythingBelow, isPattern, spelledPattern } from "../policy/file-patterns.ts";
import type { JudgedStep, StepEffects } from "../policy/judge-plan.ts";
import { type Found, filesOf } from "./files-on-disk.ts";
import type { DiskReading } from "./read-wanted.ts";

/** What a step runs, as it was judged. */
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

export function onDisk(step: JudgedStep, { files, lists: found }: DiskReading, isHere: boolean): StepOnDisk {
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

type Digest = {
  readonly digest: string | null;
  /** The file that the plan makes a copy of. */
  readonly source: { readonly path: string; readonly digest: string } | null;
};

/** Of a file that was judged with this text; null where it was judged without. */
function digestAt(path: string, text: string | null, files: DiskReading["files"]): Digest {
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
