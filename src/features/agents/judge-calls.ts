// Judges all calls of a reply before the first is made. Where one needs an approval, the approval shows all of them, because a
// call that needs none may change what the next one does [5.policy.approval] (D-137). Defines the context that all actions of a run share.
import type { AgentCall, AgentCallJudged, AgentStep } from "../../domain/agent-events.ts";
import { type AgentContent, approvalDigest } from "../../domain/approval.ts";
import { READ_ONLY_INTENTS, signatureOf, type TaskContract } from "../../domain/contract.ts";
import type { Finding } from "../../domain/finding.ts";
import type { NewEvent } from "../../domain/journal.ts";
import { toolName } from "../../domain/script.ts";
import { commandText } from "../../domain/step-run.ts";
import {
  consequenceFindings,
  destructiveTool,
  reachOfStep,
  stepConsequences,
  withoutReach,
} from "../../engine/policy/category-consequences.ts";
import { shellContextOf } from "../../engine/policy/judge-plan.ts";
import { type ApprovalDeps, approvalOfTask, requested } from "../../engine/tasks/approval-record.ts";
import { categoryFinding, createAnswering, questionOn } from "../../engine/tasks/category-answers.ts";
import type { CheckExaminer } from "../../engine/tasks/check-looks.ts";
import { type PlanDeps, recorded, runsOnOf } from "../../engine/tasks/plan.ts";
import type { Thread, ThreadOf } from "../../engine/tasks/thread.ts";
import type { Gate, Store, ToolServers } from "../../ports.ts";
import type { AgentServices } from "./agent-services.ts";
import { editIn, FINISH, SHELL } from "./catalogue.ts";
import { openCallsOf } from "./fold.ts";
import { type Judging, judgeCall, notACall } from "./judge-call.ts";

export async function judgeCalls(context: AgentRunContext): Promise<void> {
  const { deps, thread, contract } = context;
  const asked = openCallsOf(thread.journal.projection.agent).filter(({ state }) => state === "asked");
  const judged = await judgedOf(context, asked);
  if (thread.cancel.aborted) return;
  const events: NewEvent[] = judged.map((body) => ({ kind: "agent_call_judged", body }));
  if (!judged.some(({ verdict }) => verdict === "ask")) return thread.journal.commit(events);
  const shown = judged
    .filter(({ verdict }) => verdict === "ask" || verdict === "allow")
    .flatMap((one) => asked.filter(({ index }) => index === one.index).map((call) => ({ ...call, ...one })));
  const content = contentOf({ contract, ...runsOnOf(thread.journal.projection) }, asked[0]?.turn ?? 1, shown);
  const approval = approvalOfTask(deps, contract, "agent", content);
  return thread.journal.commit([...events, requested(approval)], [{ on: "approval_created", approval }]);
}

type Shown = Pick<AgentCall, "index" | "step" | "findings" | "name" | "arguments"> &
  Partial<Pick<AgentCall, "scripts" | "tools">>;

/** The contract, and the labels that the task was accepted with. */
export type PlacedContract = { readonly contract: TaskContract } & Pick<AgentContent, "runs_on">;

/** Exactly the content that a human is asked to approve. The approval is bound to its digest. */
function contentOf({ contract, runs_on }: PlacedContract, turn: number, shown: readonly Shown[]): AgentContent {
  const scripts = shown.flatMap((call) => call.scripts ?? []);
  const tools = [...new Map(shown.flatMap((call) => call.tools ?? []).map((tool) => [toolName(tool), tool])).values()];
  return {
    intent: contract.intent,
    target_signature: signatureOf(contract),
    turn,
    calls: shown.flatMap((call) => (call.step === null ? [] : [shownCall(call, call.step)])),
    findings: shown.flatMap(({ findings }): readonly Finding[] => findings),
    ...recorded({ scripts, tools }),
    ...(runs_on !== undefined && { runs_on }),
    contract,
  };
}

function shownCall(call: Shown, step: AgentStep): AgentContent["calls"][number] {
  const edit = editIn(call);
  return { index: call.index, step, ...(edit !== undefined && { edit }) };
}

/**
 * The digests of an approval that covers the calls. Approvals of version 0.1 did not show the contract, those before D-237 not
 * what a call reaches, after that the calls that need none were not shown, and later ones bound no tools.
 */
export function callDigests(placed: PlacedContract, turn: number, shown: readonly Shown[]): readonly string[] {
  const asking = shown.filter(({ findings }) => findings.length > 0);
  const bound = contentOf(placed, turn, shown);
  const { tools: _tools, ...unbound } = bound;
  const { tools: _asking, ...content } = contentOf(placed, turn, asking);
  const before = { ...content, findings: withoutReach(content.findings) };
  const { contract: _contract, ...calls } = before;
  return [bound, unbound, content, before, calls].map(approvalDigest);
}

async function judgedOf(context: AgentRunContext, asked: readonly AgentCall[]): Promise<AgentCallJudged[]> {
  const known = await context.judging();
  const answerFor = createAnswering(context.deps, context.thread, context.contract);
  const judged: AgentCallJudged[] = [];
  const judging = { ...known, worldBefore: (index: number) => known.worldBefore(index, judged) };
  let hasFinished = false;
  let wantsChecks = asksForChecks(context, judging);
  for (const call of asked) {
    const isAgain = call.name === FINISH && hasFinished;
    hasFinished ||= call.name === FINISH;
    const by_rules = isAgain ? notACall(call, "finish is called once") : await judgeCall(call, judging);
    wantsChecks &&= by_rules.step?.kind !== "check";
    const isEarly =
      wantsChecks && by_rules.step !== null && by_rules.effect === "changes" && by_rules.verdict !== "refuse";
    judged.push(isEarly ? notACall(call, CHECKS_FIRST) : await withCategory(judging, by_rules, answerFor));
  }
  return judged;
}

const CHECKS_FIRST =
  "not made yet: first run the check of each success criterion, with check true, so that it is seen to fail before the change; then make this call again";

/** Once in a run, before its first change: a check that was red before and is green after proves the most (D-195). */
function asksForChecks(
  { deps, thread, contract: { intent, success_criteria } }: AgentRunContext,
  { catalogue }: Judging,
) {
  const { calls } = thread.journal.projection.agent;
  const isOver = calls.some(({ step, reason, effect, result }) =>
    [step?.kind === "check", reason === CHECKS_FIRST, effect === "changes" && result !== null].includes(true),
  );
  const changes = success_criteria.length > 0 && !READ_ONLY_INTENTS.has(intent);
  return deps.examiner !== null && changes && catalogue.entries.has(SHELL) && !isOver;
}

type Answering = ReturnType<typeof createAnswering>;

/** Applies the contract's approval categories to a call that the rules allow or ask about (D-140). */
async function withCategory(
  { contract, home, judge, worldBefore }: Judging,
  judged: AgentCallJudged,
  answerFor: Answering,
): Promise<AgentCallJudged> {
  const { step, verdict, index, findings } = judged;
  const isOpen = verdict === "allow" || verdict === "ask";
  if (contract.constraints.require_approval_for.length === 0 || !isOpen || step === null) return judged;
  const shell = { ...shellContextOf(contract, home), world: await worldBefore(index) };
  const consequences = await judge(stepConsequences, step, shell);
  const by_code = [
    ...consequenceFindings(step, index, contract, consequences),
    ...destructiveTool(step, index, contract, judged.tools ?? []),
  ];
  if (by_code.length > 0) return { ...judged, verdict: "ask", findings: [...findings, ...by_code] };
  const command = commandText(step);
  const match = categoryFinding(await answerFor(questionOn(step, contract)), index, command);
  return match === null
    ? judged
    : { ...judged, verdict: "ask", findings: [...findings, { ...match, ...reachOfStep({ consequences }) }] };
}

// The dependencies and the context that the actions of an agent run share.

export type AgentRunDeps = PlanDeps &
  ApprovalDeps & {
    readonly store: Store;
    readonly threadOf: ThreadOf;
    readonly gate: Gate;
    readonly toolServers: Pick<ToolServers, "names" | "call" | "listTools" | "effectOf" | "listNow" | "mayRepeat">;
    readonly agent: AgentServices;
    /** Null where looks at checks are switched off. */
    readonly examiner: CheckExaminer | null;
    readonly redact: (text: string) => string;
  };

export type AgentRunContext = {
  readonly deps: AgentRunDeps;
  readonly thread: Thread;
  readonly contract: TaskContract;
  /** Lists the tools on the first call only. */
  readonly judging: () => Promise<Judging>;
};
