// Says whether what would run now is what was approved: the rules judge the very steps and scripts again, directly before
// they run.
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import { type BoundTool, type Script, toolName } from "../domain/script.ts";
import { isFoundAsBefore } from "../policy/judge-plan.ts";
import { spelledPattern } from "../policy/protected-resources.ts";
import { type JudgedOnDisk, withUncovered } from "./judge-on-disk.ts";
import { pinned, planDigests } from "./plan.ts";
import type { Projection } from "./projection.ts";
import { staleText, unreadToolsText } from "./run-from-outside.ts";

/** What is found now. `from`: the first step that is left. */
type FoundNow = {
  readonly by_tools: readonly Finding[];
  readonly on_disk: JudgedOnDisk;
  readonly tools: readonly BoundTool[];
  readonly from: number;
};

/**
 * Rules are judged again on the very steps that will run and on the scripts that they run, and the tools that may only look by what
 * their servers say now; with the model's findings they must give the approved digest.
 */
export function isAsApproved(
  contract: TaskContract,
  projection: Projection,
  { by_tools, on_disk, tools, from }: FoundNow,
): boolean {
  const { findings: noted, approvals } = projection;
  const asked = [...approvals.requests.values()];
  const now = [...on_disk.findings, ...by_tools];
  if (noted.length === 0 && asked.length === 0)
    return now.every(({ step_index }) => step_index < from) && isAsJudged(contract, projection, { on_disk, tools });
  // Neither follows from the steps alone: the one is the model's word, the other compares with the promotion.
  const by_others = noted.filter(({ code }) => code.startsWith("category.") || code === "safety.not_as_promoted");
  const all = withUncovered([...now, ...by_others], on_disk.if_asked).findings;
  // A step that has run may have changed the scripts of its own: what was found of it then still counts.
  const isSame = isFoundAsBefore({ now: all, before: noted, from });
  const digests = [all, ...(isSame ? [noted] : [])].flatMap((findings) =>
    planDigests(contract, projection, findings, {
      scripts: scriptsFrom(from, on_disk, projection.scripts),
      tools,
    }),
  );
  if (unreadToolsText(tools) !== "") return false;
  return asked.some(
    (request) =>
      digests.includes(request.digest) && approvals.decisions.get(request.approval_id)?.decision === "approve",
  );
}

/**
 * The steps of a version in use were compared with its promotion when they were judged. What has run may have changed its scripts. Of
 * taught steps only a tool counts that the contract may ask about.
 */
function isAsJudged(
  { constraints }: TaskContract,
  projection: Projection,
  { on_disk, tools }: Pick<FoundNow, "on_disk" | "tools">,
): boolean {
  const hasRun = projection.steps.records.size > 0;
  if (pinned(projection).sop_id !== null)
    return staleText(projection, { scripts: hasRun ? projection.scripts : on_disk.scripts, tools }) === "";
  const known = new Set(projection.tools.filter(({ destructive }) => destructive).map(toolName));
  return (
    constraints.require_approval_for.length === 0 ||
    tools.every((tool) => tool.destructive !== true || known.has(toolName(tool)))
  );
}

/** The scripts of the steps that are left as they are now, the others as they were judged. */
function scriptsFrom(from: number, { scripts, steps }: JudgedOnDisk, before: readonly Script[]): readonly Script[] {
  if (from === 0) return scripts;
  const left = new Set(
    steps.slice(from).flatMap(({ known, lists }) => [...known.keys(), ...[...lists.keys()].map(spelledPattern)]),
  );
  const all = [...before.filter(({ path }) => !left.has(path)), ...scripts.filter(({ path }) => left.has(path))];
  return all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
