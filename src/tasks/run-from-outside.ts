// Compares what steps run that is not in the procedure itself, the scripts on disk and the tools of servers, with what was approved
// or has run under approval before.
import { diffArrays } from "diff";
import type { ProcedureContent } from "../domain/approval.ts";
import { type BoundTool, boundTool, toolName } from "../domain/bound-tool.ts";
import type { AgentStep } from "../domain/agent-events.ts";
import type { Finding } from "../domain/finding.ts";
import type { Procedure } from "../domain/journal.ts";
import type { Script } from "../domain/script.ts";
import type { Step } from "../domain/step.ts";
import type { JudgedStep } from "../policy/judge-plan.ts";
import type { Store, ToolServers } from "../ports.ts";
import { promotionOf } from "./active-sop.ts";
import { projection } from "./projection.ts";

/** As the journal and an approval record it. */
export type RunFromOutside = { readonly scripts: readonly Script[]; readonly tools: readonly BoundTool[] };

export type ToolDeps = {
  readonly toolServers: Pick<ToolServers, "listedNow">;
  readonly redact: (text: string) => string;
};

/** The port limits how long a list of tools takes. */
const NOT_ABORTED = new AbortController().signal;

/**
 * The tools that the steps call, as their servers define them now. Where no request gets to a server, no call does either: what was
 * bound `before` stays bound.
 */
export async function boundTools(
  { toolServers, redact }: ToolDeps,
  steps: readonly AgentStep[],
  before: readonly BoundTool[] = [],
  signal: AbortSignal = NOT_ABORTED,
): Promise<BoundTool[]> {
  const called = new Map(
    steps.flatMap((step) => {
      if (step.kind !== "mcp_call") return [];
      const named = { server: step.server.toLowerCase(), tool: step.tool };
      return [[toolName(named), named] as const];
    }),
  );
  const names = [...called].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Promise.all(
    names.map(async ([name, named]) => {
      const listed = await toolServers.listedNow(named, signal);
      const known = listed.is === "unreachable" ? before.find((one) => toolName(one) === name) : undefined;
      return known ?? boundTool(named, listed, redact);
    }),
  );
}

/** A tool that `before` does not have was not recorded: orch bound no tools then. */
export function differences(before: RunFromOutside, now: RunFromOutside): Difference[] {
  const scripts = now.scripts.flatMap(({ path, digest }) => {
    const known = before.scripts.find((one) => one.path === path);
    if (known?.digest === digest) return [];
    return [{ of: path, how: known === undefined ? "it was not there" : `its digest was ${brief(known.digest)} and is ${brief(digest)} now` }];
  });
  const gone = before.scripts.flatMap(({ path }) =>
    now.scripts.some((one) => one.path === path) ? [] : [{ of: path, how: "orch cannot read it now" }],
  );
  const tools = now.tools.flatMap((tool) => {
    const known = before.tools.find((one) => toolName(one) === toolName(tool));
    return known === undefined || known.digest === tool.digest
      ? []
      : [{ of: toolName(tool), how: toolChange(known, tool) }];
  });
  return [...scripts, ...gone, ...tools];
}

export type Difference = { readonly of: string; readonly how: string };

const brief = (digest: string): string => digest.slice(0, 12);

const MOST_SHOWN = 1_200;

function toolChange(before: BoundTool, { digest, says }: BoundTool): string {
  if (digest === null) return "its server does not list it now";
  if (before.digest === null) return `its server did not list it then, and says now: ${says.join("; ")}`;
  const lines = diffArrays([...before.says], [...says]).flatMap(({ added, removed, value }) =>
    added || removed ? value.map((line) => `${removed ? "-" : "+"} ${line}`) : [],
  );
  if (lines.length === 0) return "a part of its definition that is not shown differs";
  const text = lines.join("\n");
  return `its server defines it anew:\n${text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}`;
}

type Reads = Pick<Store, "findSop" | "listTasks" | "readJournal" | "listApprovals">;

type NowRun = RunFromOutside & { readonly steps: readonly JudgedStep[] };

/** A version whose scripts or tools are not as they were approved, or as they ran under approval last, is on its first run again. */
export async function changesSinceApproval(store: Reads, procedure: Procedure, now: NowRun): Promise<Finding[]> {
  const { sop_id, sop_version, steps } = procedure;
  const paths = new Set(now.steps.flatMap(({ known }) => [...known.keys()]));
  const names = now.tools.flatMap((tool) => (tool.digest === null ? [] : [toolName(tool)]));
  if (sop_id === null || paths.size + names.length === 0) return [];
  const { approved, isWhole } = await approvedRecord(store, sop_id, new Set([...paths, ...names]));
  const before = {
    scripts: approved.scripts.filter(({ path }) => paths.has(path)),
    tools: approved.tools.filter((tool) => names.includes(toolName(tool))),
  };
  const known = new Set([...before.scripts.map(({ path }) => path), ...before.tools.map(toolName)]);
  const compared = {
    // The promotion of an earlier orch recorded no scripts: the first run records what it finds.
    scripts: now.scripts.filter(({ path }) => isWhole || known.has(path)),
    tools: now.tools.filter(({ digest }) => digest !== null),
  };
  return differences(before, compared).map(({ of, how }) => ({
    step_index: Math.max(0, now.steps.findIndex((step, index) => step.known.has(of) || isCallOf(steps[index], of))),
    verdict: "ask",
    code: "safety.not_as_promoted",
    reason: `${of} is not what version ${sop_version} was approved with, so this counts as its first run: ${how}`,
    command: null,
    category: null,
  }));
}

const isCallOf = (step: Step | undefined, name: string): boolean =>
  step?.kind === "mcp_call" && toolName({ ...step, server: step.server.toLowerCase() }) === name;

/** A run that has not ended well settles nothing. */
const RUNS_READ = 25;

type ApprovedRecord = {
  readonly approved: RunFromOutside;
  /** Whether the promotion recorded everything that the steps ran. */
  readonly isWhole: boolean;
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
    add(projection(await store.readJournal(task_id)));
  }
  const promoted = sop === null ? null : await promotionOf(store, sop);
  if (promoted !== null) add({ scripts: promoted.scripts ?? [], tools: promoted.tools ?? [] });
  return {
    approved: { scripts: [...scripts.values()], tools: [...tools.values()] },
    isWhole: promoted?.scripts !== undefined,
  };
}

/** In one sentence for each: what would run now is not what was judged. */
export const staleText = (before: RunFromOutside, now: RunFromOutside): string =>
  differences(before, now)
    .map(({ of, how }) => ` ${of} has changed: ${how}.`)
    .join("");

/** What an approval or the journal keeps of it: nothing where there is nothing. */
export const recorded = ({ scripts, tools }: RunFromOutside): Pick<ProcedureContent, "scripts" | "tools"> => ({
  ...(scripts.length > 0 && { scripts: [...scripts] }),
  ...(tools.length > 0 && { tools: [...tools] }),
});
