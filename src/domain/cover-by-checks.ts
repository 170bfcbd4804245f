// Which check step proves which success criterion [4.teach]. Needs no schema: the console shows it while steps are written.
import type { FieldIssue } from "./errors.ts";

type Covered = { readonly criterion: string; readonly step_index: number };

export type Coverage = { readonly criteria: Covered[]; readonly issues: FieldIssue[] };

const NO_CHECK =
  "needs at least one check step; a procedure without one verifies nothing. An mcp_call of a tool that only reads is a check too, with expect: {path, equals}";

/**
 * `checks` are the indexes of the check steps. A criterion is paired by `map` when it is given, else the n-th criterion with the
 * n-th check. An issue names each criterion without a check.
 */
export function coverByChecks(
  criteria: readonly string[],
  checks: readonly number[],
  map?: Readonly<Record<string, number>>,
): Coverage {
  if (checks.length === 0) {
    return {
      criteria: [],
      issues: [{ path: "steps", message: NO_CHECK }],
    };
  }
  const chosen = new Map(map === undefined ? criteria.map((c, n) => [c, checks[n]]) : Object.entries(map));
  const used = new Set<number>();
  const covered: Covered[] = [];
  const issues: FieldIssue[] = [];
  for (const criterion of criteria) {
    const step_index = chosen.get(criterion);
    const fault = faultOf(step_index, checks, used);
    if (fault !== null)
      issues.push({
        path: map === undefined ? "steps" : "criteria",
        message: `success criterion "${criterion}" ${fault}`,
      });
    else if (step_index !== undefined) {
      used.add(step_index);
      covered.push({ criterion, step_index });
    }
  }
  const strangers = map === undefined ? [] : Object.keys(map).filter((criterion) => !criteria.includes(criterion));
  for (const stranger of strangers) {
    issues.push({ path: "criteria", message: `"${stranger}" is not a success criterion of the task` });
  }
  return { criteria: covered, issues };
}

function faultOf(step_index: number | undefined, checks: readonly number[], used: ReadonlySet<number>): string | null {
  if (step_index === undefined) return "has no check step; add one, or map it in criteria";
  if (!checks.includes(step_index)) return `is mapped to step ${step_index}, which is not a check step`;
  if (used.has(step_index)) return `is mapped to step ${step_index}, which already proves another criterion`;
  return null;
}
