// Checks that an agent did only what policy and a human allowed: each journal entry follows from the entries before it, no
// refused or unapproved call was made, and a finish that counted was proved.

import { type AgentCall, type AgentStep, FinishCall } from "../../domain/agent-events.ts";
import { approvalDigest } from "../../domain/approval.ts";
import type { TaskContract } from "../../domain/contract.ts";
import type { Finding } from "../../domain/finding.ts";
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import { withUnixLines } from "../../domain/step.ts";
import { isPause } from "../../domain/step-run.ts";
import { firstDifference } from "../../engine/evidence/bundle.ts";
import type { Rule } from "../../engine/evidence/verify/rule.ts";
import { permissionOf } from "../../engine/policy/judge-plan.ts";
import { runsOnOf } from "../../engine/tasks/plan.ts";
import type { Projection } from "../../engine/tasks/projection.ts";
import { startContent } from "./ask-at-start.ts";
import { editCommand, editIn, FINISH, nameOf, SHELL, ShellInput } from "./catalogue.ts";
import { agentProofs, judgeFinish } from "./finish.ts";
import { type AgentProjection, openCallsOf } from "./fold.ts";
import { callDigests, type PlacedContract } from "./judge-calls.ts";

export const AGENT_RULE: Rule = (contract) => {
  const call_faults: string[] = [];
  return {
    entry: (event, before) => {
      const placed = { contract, ...runsOnOf(before), findings: before.findings };
      const fault = callFault(event, placed, before.agent);
      if (fault !== null) call_faults.push(`journal entry ${event.seq} ${fault}.`);
      return null;
    },
    // Only the whole journal shows whether an agent wrote it.
    journal: ({ state }) => {
      const { agent, steps } = state;
      const isAgents = agent.turns.length > 0 || (contract.delegation_mode === "agent" && steps.starts.length > 0);
      const faults = isAgents ? [...call_faults, ...verdictFaults(contract, state)] : [];
      return faults.map((fault) => ({ rule: "agent", fault }));
    },
  };
};

/** What is wrong with an entry of an agent's journal, after the entries `before` it; null when it follows from them. */
function callFault(event: JournalEvent, placed: PlacedStart, before: AgentProjection): string | null {
  switch (event.kind) {
    case "agent_replied":
      return replyFault(event.body, before);
    case "agent_call_judged":
      return judgementFault(event.body, before.calls[event.body.index]);
    case "approval_requested":
      return before.turns.length === 0 && placed.contract.delegation_mode === "agent"
        ? startFault(event.body, placed)
        : requestFault(event.body, placed, openCallsOf(before));
    case "step_started": {
      const state = before.calls[event.body.index]?.state;
      return state === "ready" ? null : `makes a call that was not allowed: ${state ?? "the agent did not ask for it"}`;
    }
    case "step_finished": {
      const call = before.calls[event.body.index];
      const isIts = call?.state === "started" && call.step?.kind === event.body.kind;
      return isIts ? null : "ends a call that was not made";
    }
    case "agent_finished":
      return finishFault(event.body, before.calls);
    default:
      return null;
  }
}

function replyFault({ turn, calls }: EventBody<"agent_replied">, before: AgentProjection): string | null {
  const first = before.calls.length;
  const isNext = turn === (before.turns.at(-1)?.turn ?? 0) + 1;
  const inOrder = calls.every(({ index }, position) => index === first + position);
  return isNext && inOrder ? null : "is not the next reply: the number of its turn or of a call is wrong";
}

function judgementFault(judged: EventBody<"agent_call_judged">, call: AgentCall | undefined): string | null {
  // A permitted call is judged again when it is made. This can only withdraw the permission.
  const isLoss = judged.verdict === "refuse" || (judged.verdict === "fault" && call?.name === FINISH);
  const isInTime = call?.state === "asked" || (call?.state === "ready" && isLoss);
  if (call === undefined || !isInTime) return "judges a call that does not wait for it";
  if (judged.step !== null && !isAskedFor(judged.step, call)) return "judges another call than the agent's";
  return isVerdictOf(judged, call) ? null : "has a verdict that its findings do not give";
}

function isAskedFor(step: AgentStep, call: AgentCall): boolean {
  const { name, arguments: given } = call;
  if (isPause(step)) return false;
  if (step.kind === "mcp_call" || step.kind === "skill_tool") {
    const owner = step.kind === "mcp_call" ? step.server : step.skill;
    return name === nameOf(owner, step.tool) && firstDifference(step.arguments, given) === null;
  }
  const edit = editIn(call);
  if (edit !== undefined) return step.kind === "cmd" && step.value === editCommand(edit);
  const asked = ShellInput.safeParse(given).data;
  // Earlier versions left the line ends of another system as they were.
  return name === SHELL && withUnixLines(step.value) === asked?.command && (step.kind === "check") === asked.check;
}

function isVerdictOf({ verdict, findings, step }: EventBody<"agent_call_judged">, { state }: AgentCall): boolean {
  switch (verdict) {
    case "allow":
    case "ask":
      return permissionOf(findings) === verdict;
    case "refuse":
      return state === "ready" || permissionOf(findings) === "deny";
    case "fault":
      return step === null && findings.length === 0;
  }
}

/** With the findings on what the agent may write. */
type PlacedStart = PlacedContract & { readonly findings: readonly Finding[] };

const startFault = ({ kind, digest }: EventBody<"approval_requested">, placed: PlacedStart): string | null =>
  kind === "agent" && approvalDigest(startContent(placed)) === digest
    ? null
    : "asks for another approval than that of the agent's start";

function requestFault(
  { kind, digest }: EventBody<"approval_requested">,
  placed: PlacedContract,
  open: readonly AgentCall[],
): string | null {
  const shown = open.filter(({ state, step }) => state === "waiting" || (state === "ready" && step !== null));
  const isSame = callDigests(placed, shown[0]?.turn ?? 1, shown).includes(digest);
  return isSame && kind === "agent" ? null : "asks for the approval of other calls than the agent's";
}

function finishFault({ index, ...reported }: EventBody<"agent_finished">, calls: readonly AgentCall[]): string | null {
  const call = calls[index];
  const finish =
    call?.name === FINISH && call.state === "ready" ? FinishCall.safeParse(call.arguments).data : undefined;
  return finish !== undefined && firstDifference(finish, reported) === null
    ? null
    : "is not the finish that the agent reported";
}

/** The faults of the task as a whole: it is done only with a passed verdict, and the verdict must follow from the calls. */
function verdictFaults(contract: TaskContract, state: Projection): string[] {
  const { agent, verdict, reported } = state;
  const { finished, calls } = agent;
  const isDone = reported?.status === "ok";
  if (verdict === null || finished === null)
    return isDone || verdict !== null ? ["the task counts as done without a proved finish."] : [];
  const path = firstDifference(verdict, judgeFinish(calls, finished, contract, agentProofs(state)));
  const faults = path === null ? [] : [`the verdict does not follow from the calls: ${path || "it differs"}.`];
  return isDone && !verdict.passed
    ? [...faults, "the task counts as done although its verdict is not passed."]
    : faults;
}
