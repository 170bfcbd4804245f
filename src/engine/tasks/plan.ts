// Makes the plan of a task: the procedure that its journal pins it to, the findings of the rules, the scripts and tools that it runs from
// outside, and what a human is asked to approve. Says whether the task is done before anything has run (D-199).

import { diffArrays } from "diff";
import type { AgentStep } from "../../domain/agent-events.ts";
import { approvalDigest, type ProcedureContent } from "../../domain/approval.ts";
import { boundTool, NOT_ASKED } from "../../domain/bound-tool.ts";
import { READ_ONLY_INTENTS, type TaskContract, targetSignature } from "../../domain/contract.ts";
import type { Finding } from "../../domain/finding.ts";
import type { CheckProof } from "../../domain/proof.ts";
import { type BoundTool, type Script, toolName } from "../../domain/script.ts";
import type { Procedure } from "../../domain/sop.ts";
import { isCheck, type Step } from "../../domain/step.ts";
import { sentStep } from "../../domain/step-run.ts";
import { notCoveredText, unreadListOf } from "../../domain/tool.ts";
import { judge, judgeLooks, type Verdict } from "../../domain/verification.ts";
import type { ExecutionBackend, Judge, ToolList, ToolServers } from "../../ports.ts";
import { withoutReach } from "../policy/category-consequences.ts";
import { obstacleToSkip } from "../policy/checks-to-look-at.ts";
import { toolFinding } from "../policy/inspect-steps.ts";
import type { Plan, PlanContext } from "../policy/judge-plan.ts";
import { type JudgedOnDisk, judgeOnDisk } from "./judge-on-disk.ts";
import { type Projection, proofAt } from "./projection.ts";
import { stepResultsOf } from "./steps-fold.ts";

export type PlanDeps = {
  /** The home directory that commands see; policy resolves `~` with it. */
  readonly home: string;
  readonly judge: Judge;
  /** Null when the contract asks for a backend that this server does not have. */
  readonly backendOf: (contract: TaskContract) => ExecutionBackend | null;
};

/** The contract with the backend that the task was accepted for: the default may have changed since. */
export function pinnedTo(contract: TaskContract, { accepted }: Projection): TaskContract {
  const backend = accepted?.backend;
  return backend === undefined ? contract : { ...contract, execution_backend: backend };
}

/** The labels that the task was accepted with, for what an approval covers: it runs nowhere else. */
export const runsOnOf = ({ accepted }: Projection): Pick<ProcedureContent, "runs_on"> =>
  accepted?.runs_on === undefined ? {} : { runs_on: [...accepted.runs_on] };

/** The procedure that this task is pinned to. Nodes after the look-up may rely on it. */
export function pinned({ procedure }: Projection): Procedure {
  if (procedure === null) throw new Error("the journal holds no procedure although the look-up has passed");
  return procedure;
}

/**
 * What the rules say of the plan and of the scripts that it runs. It depends on nothing else, so the plan can be judged again
 * before it runs.
 */
export const judged = (deps: PlanDeps, contract: TaskContract, projection: Projection): Promise<JudgedOnDisk> =>
  judgeOnDisk(deps.judge, planOf(deps, contract, projection), deps.backendOf(pinnedTo(contract, projection))?.disk);

/** Only the steps of an active SOP, which the look-up has pinned, have an SOP's id. */
export function planOf(deps: PlanDeps, contract: TaskContract, projection: Projection): Plan {
  const { steps, safety_level, sop_id, on_trial } = pinned(projection);
  const context = planContextOf(deps, pinnedTo(contract, projection));
  return { contract, steps, safety_level, intent: contract.intent, context, proved: sop_id !== null, on_trial };
}

export const planContextOf = (
  { home, backendOf }: Pick<PlanDeps, "home" | "backendOf">,
  contract: TaskContract,
): PlanContext => ({
  home,
  remote: backendOf(contract)?.remote === true,
});

/**
 * Exactly what a human is asked to approve: the steps as they are sent, and the contract, which decides everything else that
 * reaches a command, a tool or a flow engine (D-185).
 */
export function planContent(
  given: TaskContract,
  projection: Projection,
  findings: readonly Finding[],
  outside: RunFromOutside = projection,
): ProcedureContent {
  const contract = pinnedTo(given, projection);
  const { steps, ...procedure } = pinned(projection);
  return {
    intent: contract.intent,
    target_signature: targetSignature(contract.target),
    ...procedure,
    steps: steps.map((step) => sentStep(step, contract)),
    findings: [...findings],
    ...recorded(outside),
    ...runsOnOf(projection),
    contract,
  };
}

export function verdictOn(contract: TaskContract, state: Projection): Verdict {
  const { steps, criteria: covers } = pinned(state);
  const { success_criteria } = contract;
  const plan = { steps, covers, success_criteria, proofAt: (index: number) => proofAt(state.proof, index) };
  if (isAlreadyDone(contract, state)) return judgeLooks({ ...plan, looks: state.proof.before ?? new Map() });
  const job_failure = state.jobs.failure?.code ?? null;
  return judge({ ...plan, results: stepResultsOf(state.steps, steps), job_failure });
}

/**
 * The digests of an approval that covers the plan. Approvals of version 0.1 showed unresolved steps and no contract, those before D-237
 * did not say what a step reaches, and later ones bound no tools.
 */
export function planDigests(
  contract: TaskContract,
  projection: Projection,
  findings: readonly Finding[],
  outside: RunFromOutside = projection,
): readonly string[] {
  const bound = planContent(contract, projection, findings, outside);
  const { tools: _tools, ...content } = bound;
  const before = { ...content, findings: withoutReach(findings) };
  const { contract: _contract, ...template } = { ...before, steps: pinned(projection).steps };
  return [bound, content, before, template].map(approvalDigest);
}

type StepsOfIntent = {
  readonly intent: string;
  readonly steps: readonly Step[];
};

/** The calls of it that may only look are judged by what their servers say: those of a diagnostic intent, and checks (D-187). */
type ToolPlan = StepsOfIntent & {
  /** The steps of an active SOP: a supervisor has approved its promotion, so an unknown effect is no question. */
  readonly proved: boolean;
};

export const toolPlan = ({ intent }: TaskContract, { steps, sop_id }: Procedure): ToolPlan => ({
  intent,
  steps,
  proved: sop_id !== null,
});

/** The port limits how long a list of tools takes. */
const NOT_ABORTED = new AbortController().signal;

/** Any other tool call needs its server in implicit_scope and nothing else. */
export async function judgeTools(
  { intent, steps, proved }: ToolPlan,
  tools: Pick<ToolServers, "effectOf">,
  signal: AbortSignal = NOT_ABORTED,
): Promise<Finding[]> {
  const onlyLooks = READ_ONLY_INTENTS.has(intent);
  const found = await Promise.all(
    steps.map(async (step, step_index) => {
      if (step.kind !== "mcp_call" || !(onlyLooks || isCheck(step))) return [];
      const effect = await tools.effectOf(step, signal);
      const finding = toolFinding(`${step.server}.${step.tool}`, effect, onlyLooks ? `intent ${intent}` : "a check");
      return finding === null || (finding.code !== "tool.changes_state" && proved) ? [] : [{ ...finding, step_index }];
    }),
  );
  return found.flat();
}

/** Those calls with which no procedure is taught, and none takes the place of another. */
export const toolBlocks = async (plan: StepsOfIntent, tools: Pick<ToolServers, "effectOf">): Promise<Finding[]> => {
  const found = await judgeTools({ ...plan, proved: false }, tools);
  return found.filter(({ verdict }) => verdict === "block");
};

// Says whether a task is done before anything has run (D-199). It follows from the journal alone: each check of the plan
// was true on the target, and is known to be able to fail. The rule for their classes is that of an agent's finish.

export const isAlreadyDone = (contract: TaskContract, state: Projection): boolean =>
  contract.skip_if_done === true &&
  state.steps.starts.length === 0 &&
  wereAllTrue(contract, state) &&
  weakness(state) === null;

/** Whether the looks allow it, before it is known what the checks are worth. */
export const wereAllTrue = (contract: TaskContract, state: Projection): boolean =>
  state.procedure !== null && obstacleToSkip(contract, state.procedure) === null && openCheck(state) === null;

/** Why a task that asked for it was not done already, as a sentence; empty where a check was not true, or where it never asked. */
export function whyNotSkipped(contract: TaskContract, state: Projection): string {
  const { procedure, proof } = state;
  if (contract.skip_if_done !== true || procedure === null) return "";
  const open = openCheck(state);
  const isFalse = open !== null && (proof.before?.get(open) ?? null) !== null;
  const why =
    obstacleToSkip(contract, procedure) ??
    (open === null ? weakness(state) : isFalse ? null : `check step ${open} was not looked at before`);
  return why === null ? "" : ` skip_if_done had no effect: ${why}.`;
}

const checksOf = ({ steps }: Pick<Procedure, "steps">): number[] =>
  steps.flatMap((step, index) => (isCheck(step) ? [index] : []));

/** The first check that was not seen to be true. */
function openCheck({ procedure, proof }: Projection): number | null {
  const checks = procedure === null ? [] : checksOf(procedure);
  return checks.find((index) => proof.before?.get(index)?.answer !== "green") ?? null;
}

/** A sensitive check counts only beside a proved one: of its criterion, or of the plan where it has none. */
function weakness({ procedure, proof }: Projection): string | null {
  if (procedure === null) return null;
  const checks = checksOf(procedure).map((index) => ({ index, proof: proofAt(proof, index) }));
  const weak = checks.find((check) => check.proof === undefined || !COUNTS.has(check.proof.class));
  if (weak !== undefined) return `check step ${weak.index} ${worth(weak.proof)}`;
  const proved = new Set(checks.flatMap((check) => (check.proof?.class === "proved" ? [check.index] : [])));
  const criteria = new Set(procedure.criteria.map(({ criterion }) => criterion));
  const open = [...criteria].find(
    (one) => !procedure.criteria.some(({ criterion, step_index }) => criterion === one && proved.has(step_index)),
  );
  if (open !== undefined) return `no check of ${JSON.stringify(open)} is proved`;
  return proved.size === 0 ? "none of its checks is proved" : null;
}

const COUNTS: ReadonlySet<CheckProof["class"]> = new Set(["proved", "sensitive"]);

const worth = (proof: CheckProof | undefined): string =>
  proof === undefined
    ? "was not examined"
    : `is ${proof.class.replaceAll("_", " ")}${proof.reason === null ? "" : `: ${proof.reason}`}`;

// Names what steps run that is not in the procedure itself, the scripts on disk and the tools of servers, and how it
// differs from what was judged or approved.

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
