// Compares what steps run that is not in the procedure itself, the scripts on disk and the tools of servers, with what was approved
// or has run under approval before.
import { diffArrays } from "diff";
import type { AgentStep } from "../domain/agent-events.ts";
import type { ProcedureContent } from "../domain/approval.ts";
import { type BoundTool, boundTool, toolName } from "../domain/bound-tool.ts";
import type { Finding } from "../domain/finding.ts";
import type { Procedure } from "../domain/journal.ts";
import type { Script } from "../domain/script.ts";
import type { Store, ToolServers } from "../ports.ts";
import { promotionOf } from "./active-sop.ts";
import type { JudgedOnDisk } from "./judge-on-disk.ts";
import { projection } from "./projection.ts";

/** As the journal and an approval record it. */
export type RunFromOutside = { readonly scripts: readonly Script[]; readonly tools: readonly BoundTool[] };

export type ToolDeps = {
  readonly toolServers: Pick<ToolServers, "listNow">;
  readonly redact: (text: string) => string;
};

type Binding = {
  readonly before?: readonly BoundTool[] | undefined;
  readonly signal?: AbortSignal;
  /** Of a list; without it each server is asked anew. */
  readonly max_age_ms?: number;
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
  { before = [], signal = NOT_ABORTED, max_age_ms }: Binding = {},
): Promise<BoundTool[]> {
  const called = new Map(callsIn(steps).map((named) => [toolName(named), named]));
  const names = [...called].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const servers = new Set(names.map(([, { server }]) => server));
  const listings = new Map(
    await Promise.all(
      [...servers].map(async (server) => [server, await toolServers.listNow(server, signal, max_age_ms)] as const),
    ),
  );
  return names.map(([name, named]) => {
    const listing = listings.get(named.server) ?? { is: "unreachable" };
    const known = listing.is === "unreachable" ? before.find((one) => toolName(one) === name) : undefined;
    return known ?? boundTool(named, listing, redact);
  });
}

const callsIn = (steps: readonly AgentStep[]): Pick<BoundTool, "server" | "tool">[] =>
  steps.flatMap((step) => (step.kind === "mcp_call" ? [{ server: step.server.toLowerCase(), tool: step.tool }] : []));

/** What differs. A tool that was not bound, or not listed, `before` differs where it may destroy something. */
export function differences(before: RunFromOutside, now: RunFromOutside): Difference[] {
  const scripts = now.scripts.flatMap(({ path, digest }) => {
    const known = before.scripts.find((one) => one.path === path);
    if (known?.digest === digest) return [];
    return [
      {
        of: path,
        how:
          known === undefined
            ? "it was not there"
            : `its digest was ${brief(known.digest)} and is ${brief(digest)} now`,
      },
    ];
  });
  const gone = before.scripts.flatMap(({ path }) =>
    now.scripts.some((one) => one.path === path) ? [] : [{ of: path, how: "orch cannot read it now" }],
  );
  const tools = now.tools.flatMap((tool) => {
    const known = before.tools.find((one) => toolName(one) === toolName(tool));
    const isNews = known?.digest !== null || tool.destructive === true;
    return known === undefined || known.digest === tool.digest || !isNews
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

type JudgedDisk = Pick<JudgedOnDisk, "scripts" | "steps">;

export type OutsideNow = RunFromOutside & {
  /** A version whose scripts or tools are not as they were approved, or as they ran under approval last, is on its first run again. */
  readonly changed: readonly Finding[];
};

/** What the procedure runs that is not in it, compared with what is on record of its version. */
export async function outsideNow(
  deps: ToolDeps & { readonly store: Reads },
  procedure: Procedure,
  { scripts, steps }: JudgedDisk,
  signal: AbortSignal,
): Promise<OutsideNow> {
  const { sop_id } = procedure;
  const paths = steps.flatMap(({ known }) => [...known.keys()]);
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
        ({ known }, index) =>
          known.has(of) ||
          callsIn(procedure.steps.slice(index, index + 1))
            .map(toolName)
            .includes(of),
      ),
    );
  const changed = differences(before, { scripts: compared, tools }).map(
    (difference): Finding => ({
      step_index: stepOf(difference),
      verdict: "ask",
      code: "safety.not_as_promoted",
      reason: `${difference.of} is not what version ${procedure.sop_version} was approved with, so this counts as its first run: ${difference.how}`,
      command: null,
      category: null,
    }),
  );
  return { scripts, tools, changed };
}

/** A run that has not ended well settles nothing. */
const RUNS_READ = 25;

type ApprovedRecord = RunFromOutside & {
  /** Whether the promotion recorded every script that the steps ran. */
  readonly isWhole: boolean;
};

const NO_RECORD: ApprovedRecord = { scripts: [], tools: [], isWhole: false };

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
  const isWhole = promoted?.scripts !== undefined;
  return { scripts: [...scripts.values()], tools: [...tools.values()], isWhole };
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
