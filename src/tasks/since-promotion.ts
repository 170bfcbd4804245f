// Finds the scripts and the tools of a version in use that are not what its promotion showed, or what ran under approval since.
import { structuredPatch } from "diff";
import { isQuarantined } from "../domain/errors.ts";
import type { Finding } from "../domain/finding.ts";
import { printable } from "../domain/printable.ts";
import { type BoundTool, type KeptTexts, type Script, textOf, toolName } from "../domain/script.ts";
import type { Procedure } from "../domain/sop.ts";
import { spelledPattern } from "../policy/protected-resources.ts";
import type { Store } from "../ports.ts";
import { promotionOf } from "./active-sop.ts";
import type { JudgedOnDisk, StepOnDisk } from "./judge-on-disk.ts";
import { projection } from "./projection.ts";
import {
  boundTools,
  callsIn,
  type Difference,
  differences,
  type RunFromOutside,
  type ToolDeps,
} from "./run-from-outside.ts";

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
