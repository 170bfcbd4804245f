// Judges steps in a real directory, together with its files.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Step } from "../../src/domain/step.ts";
import type { Plan } from "../../src/engine/policy/judge-plan.ts";
import { coverageOf, judgeOnDisk } from "../../src/engine/tasks/judge-on-disk.ts";
import { createDisk } from "../../src/execution/local/disk.ts";
import { aContract } from "./builders.ts";
import { judgeHere } from "./judge-here.ts";

const directories: string[] = [];

export function removeDirectories(): void {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
}

export type Files = Readonly<Record<string, string>>;

/** A text that begins with it is the target of a symbolic link. */
export const LINK = "link to ";

export function directoryOf(files: Files): string {
  const directory = mkdtempSync(join(tmpdir(), "orch-covered-"));
  directories.push(directory);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    if (text.startsWith(LINK)) symlinkSync(text.slice(LINK.length), join(directory, name));
    else writeFileSync(join(directory, name), text, { mode: 0o755 });
  }
  return directory;
}

export const disk = createDisk([], (text) => text);

export const planIn = (directory: string, steps: readonly Step[], proved: boolean): Plan => ({
  contract: aContract({ target: { compose_dir: directory } }),
  steps,
  safety_level: "standard",
  intent: "deploy",
  context: { home: "/home/op", remote: false },
  proved,
});

export async function judged(given: Files | string, steps: readonly Step[], proved = true) {
  const directory = typeof given === "string" ? given : directoryOf(given);
  const found = await judgeOnDisk(judgeHere, planIn(directory, steps, proved), disk);
  const below = (path: string) => path.replace(`${directory}/`, "");
  return {
    ...found,
    directory,
    covered: found.scripts.map(({ path }) => below(path)),
    verdicts: found.findings.map(({ verdict, code }) => `${verdict} ${code}`),
    not_covered: found.steps.flatMap(({ not_covered }) => not_covered),
    not_judged: found.steps.flatMap(({ not_judged }) => not_judged.map(below)),
    of_first: coverageOf(found.steps[0]),
  };
}

/** Texts that are blocked where they are judged. */
export const BAD = "git reset --hard\n";
export const PY = 'import os\nos.system("git reset --hard")\n';
