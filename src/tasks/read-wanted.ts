// Reads the files that the guard names for the steps of a plan.
import { type Disk, type FileOnDisk, textOf } from "../domain/script.ts";
import { everythingBelow, isPattern } from "../policy/file-patterns.ts";
import type { JudgedStep } from "../policy/judge-plan.ts";
import { type Found, filesOf } from "./files-on-disk.ts";

/** What a plan may run. More is not covered, and the plan asks. */
export const MAX_FILES = 1_000;
const MAX_TEXT = 4 * 1024 * 1024;

export type DiskReading = {
  readonly disk: Disk;
  readonly files: Map<string, FileOnDisk>;
  readonly lists: Map<string, Found>;
  readonly tried: Set<string>;
  /** Characters of all texts. */
  length: number;
  is_full: boolean;
};

export const newReading = (disk: Disk | undefined): DiskReading => ({
  disk: disk ?? { read: async () => null, list: async () => null },
  files: new Map(),
  lists: new Map(),
  tried: new Set(),
  length: 0,
  is_full: false,
});

/** Whether there is a text that was not known before. */
export async function readWanted(steps: readonly JudgedStep[], reading: DiskReading): Promise<boolean> {
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
