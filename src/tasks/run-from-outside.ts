// Names what steps run that is not in the procedure itself, the scripts on disk and the tools of servers, and how it
// differs from what was judged or approved.
import { diffArrays } from "diff";
import type { AgentStep } from "../domain/agent-events.ts";
import type { ProcedureContent } from "../domain/approval.ts";
import { type BoundTool, type Script, toolName } from "../domain/script.ts";
import { boundTool, notCoveredText, type ToolListing, unreadListOf } from "../domain/tool.ts";
import type { ToolList, ToolServers } from "../ports.ts";

/** As the journal and an approval record it. */
export type RunFromOutside = { readonly scripts: readonly Script[]; readonly tools: readonly BoundTool[] };

export type ToolDeps = {
  readonly toolServers: Pick<ToolServers, "listNow">;
  readonly redact: (text: string) => string;
};

type Binding = {
  readonly before?: readonly BoundTool[] | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** The port limits how long a list of tools takes. */
const NOT_ABORTED = new AbortController().signal;

/**
 * The tools that the steps call, as their servers define them now. A list that cannot be read shows no change: where a tool was bound
 * `before`, the list is asked for again for a while. Where no request gets to a server, or `signal` has ended the wait, no call is made
 * either: what was bound `before` stays bound.
 */
export async function boundTools(
  { toolServers, redact }: ToolDeps,
  steps: readonly AgentStep[],
  { before = [], signal = NOT_ABORTED }: Binding = {},
): Promise<BoundTool[]> {
  const called = new Map(callsIn(steps).map((named) => [toolName(named), named]));
  const names = [...called].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const servers = new Set(names.map(([, { server }]) => server));
  const known = new Map(before.filter(({ digest }) => digest !== null).map((tool) => [toolName(tool), tool]));
  const isKnown = (server: string) => names.some(([name, named]) => named.server === server && known.has(name));
  const listOf = (server: string) => toolServers.listNow(server, signal, isKnown(server) ? WAIT_MS : 0);
  const listings = new Map(
    await Promise.all([...servers].map(async (server) => [server, await listOf(server)] as const)),
  );
  return names.map(([name, named]) => {
    const listing = listings.get(named.server) ?? NOT_ASKED;
    const isAway = listing.is === "unread" && (listing.is_unreachable || signal.aborted);
    const bound = isAway ? before.find((one) => toolName(one) === name) : undefined;
    return bound ?? boundTool(named, listing, redact);
  });
}

/** A server that starts again refuses its list for a moment. */
const WAIT_MS = 10_000;

const NOT_ASKED: ToolListing = { is: "unread", why: "its server was not asked", is_unreachable: true };

export const callsIn = (steps: readonly AgentStep[]): Pick<BoundTool, "server" | "tool">[] =>
  steps.flatMap((step) => (step.kind === "mcp_call" ? [{ server: step.server.toLowerCase(), tool: step.tool }] : []));

/** The bound tool that the step calls. */
export function toolOf(step: AgentStep | undefined, tools: readonly BoundTool[]): { readonly tool?: BoundTool } {
  const [name] = step === undefined ? [] : callsIn([step]).map(toolName);
  const tool = tools.find((one) => toolName(one) === name);
  return tool === undefined ? {} : { tool };
}

/**
 * What differs. A tool that was not bound, or not listed, `before` differs where it may destroy something. What was approved while the
 * list could not be read covers no tool.
 */
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
    if (known === undefined || known.digest === tool.digest) return [];
    const isNews = known.digest !== null || tool.destructive === true || unreadListOf(known) !== null;
    const isUnread = unreadListOf(tool) !== null;
    return !isNews ? [] : [{ of: toolName(tool), how: toolChange(known, tool), isUnread }];
  });
  return [...scripts, ...gone, ...tools];
}

/** `isUnread`: the list of tools cannot be read, so it is not known whether the tool has changed. */
export type Difference = {
  readonly of: string;
  readonly how: string;
  readonly isUnread?: boolean;
};

const brief = (digest: string): string => digest.slice(0, 12);

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most)}…`);

const MOST_SHOWN = 1_200;

function toolChange(before: BoundTool, now: BoundTool): string {
  const { digest, says } = now;
  if (digest === null) return unreadListOf(now) ?? "its server does not list it now";
  if (before.digest === null) {
    const then = unreadListOf(before) ?? "its server did not list it then";
    return `${then}; its server says now: ${says.join("; ")}`;
  }
  const lines = diffArrays([...before.says], [...says]).flatMap(({ added, removed, value }) =>
    added || removed ? value.map((line) => `${removed ? "-" : "+"} ${line}`) : [],
  );
  if (lines.length === 0) return "a part of its definition that is not shown differs";
  const text = lines.join("\n");
  return `its server defines it anew:\n${cut(text, MOST_SHOWN)}`;
}

/** In one sentence for each: what would run now is not what was judged. */
export const staleText = (before: RunFromOutside, now: RunFromOutside): string =>
  differences(before, now)
    .map(({ of, how, isUnread }) =>
      isUnread === true ? ` ${of} cannot be compared: ${how}.` : ` ${of} has changed: ${how}.`,
    )
    .join("");

/** Whether nothing is known to have changed: all that keeps something from being compared is a list of tools. */
export function isOnlyUnread(before: RunFromOutside, now: RunFromOutside): boolean {
  const found = differences(before, now);
  return found.length > 0 && found.every(({ isUnread }) => isUnread === true);
}

/** In one sentence for each tool that no approval covers, because its list cannot be read. */
export const unreadToolsText = (tools: readonly BoundTool[]): string =>
  tools
    .flatMap((tool) => (unreadListOf(tool) === null ? [] : [` ${toolName(tool)} is ${notCoveredText(tool)}.`]))
    .join("");

/** What an approval or the journal keeps of it: nothing where there is nothing. */
export const recorded = ({ scripts, tools }: RunFromOutside): Pick<ProcedureContent, "scripts" | "tools"> => ({
  ...(scripts.length > 0 && { scripts: [...scripts] }),
  ...(tools.length > 0 && { tools: [...tools] }),
});

/** The tools of a server as code of a skill is given them: in the shape of the answer to a call, so that a step that lists fails alike. */
export async function toolListOf(listing: ReturnType<ToolServers["listTools"]>): Promise<ToolList> {
  const listed = await listing;
  return "fault" in listed ? { ok: false, stderr: listed.fault } : { ok: true, tools: listed.tools };
}
