// Checks the approvals of an evidence bundle against its journal, which records each request with the digest of its
// content, and each decision. The reason in words and the interrupt's id are not in the journal, so they are not checked.
import { type Approval, approvalDigest } from "../../domain/approval.ts";
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import { hasEnded } from "../../domain/outcome.ts";
import { type Evidence, firstDifference } from "../../engine/evidence/bundle.ts";
import { type Fault, isNear, type Rule, type WholeJournal } from "../../engine/evidence/verify/rule.ts";
import { planDigests } from "../../engine/tasks/plan.ts";
import type { Projection } from "../../engine/tasks/projection.ts";

type RequestEvent = Extract<JournalEvent, { kind: "approval_requested" }>;
type DecisionEvent = Extract<JournalEvent, { kind: "approval_decided" }>;

export const APPROVALS_RULE: Rule = () => ({
  entry: createOrderCheck(),
  journal: askedFaults,
  bundle: approvalFaults,
});

function askedFaults({ events, state }: WholeJournal): Fault[] {
  const { accepted, procedure, findings, steps } = state;
  const request = events.findLast(isRequest);
  if (accepted === null || procedure === null || request?.body.kind !== "plan" || steps.starts.length === 0) return [];
  if (planDigests(accepted.contract, state, findings).includes(request.body.digest)) return [];
  const fault = `journal entry ${request.seq} asks for the approval of other steps than those that ran.`;
  return [{ rule: "approval", fault }];
}

const isRequest = (event: JournalEvent): event is RequestEvent => event.kind === "approval_requested";

function approvalFaults(evidence: Evidence, { events, state }: WholeJournal): string[] {
  const requests = events.filter(isRequest);
  const decisions = events.filter((event) => event.kind === "approval_decided");
  const asked = new Map(requests.map((event) => [event.body.approval_id, event]));
  const decided = new Map(decisions.map((event) => [event.body.approval_id, event]));
  const shown = new Set(evidence.approvals.map(({ approval_id }) => approval_id));
  const last = requests.at(-1)?.body.approval_id;
  return [
    ...requests.filter(({ body }) => !shown.has(body.approval_id)).map(notShown),
    ...evidence.approvals.flatMap((approval, position) => {
      const { approval_id } = approval;
      const request = asked.get(approval_id);
      const first = evidence.approvals.findIndex((other) => other.approval_id === approval_id);
      if (first !== position) return [`approvals.${position} is the same as approvals.${first}.`];
      if (request === undefined) return [`approvals.${position} was never asked for in the journal.`];
      const isOpen = approval_id === last && !hasEnded(evidence.status);
      const faults = [
        ...faultsOf(approval, request, decided.get(approval_id), isOpen),
        ...proofFaults(approval, state),
      ];
      return faults.map((fault) => `approvals.${position}.${fault}.`);
    }),
  ];
}

/** What the human was shown of a version is what the journal says was found out (D-200). */
function proofFaults({ content }: Approval, { versions }: Projection): string[] {
  if (!("proof" in content) || content.proof === undefined) return [];
  return firstDifference(content.proof, versions.proof) === null ? [] : ["content.proof is not what the journal gives"];
}

const notShown = ({ seq }: JournalEvent): string => `approvals lacks the one that journal entry ${seq} asks for.`;

/** `isOpen`: nothing has come between the question and its answer, unless it is decided. */
function faultsOf(
  approval: Approval,
  request: RequestEvent,
  decided: DecisionEvent | undefined,
  isOpen: boolean,
): string[] {
  const { thread_id, kind, digest, status, decision, content, created_at, decided_at, expires_at } = approval;
  const given = { thread_id: request.thread_id, kind: request.body.kind, digest: request.body.digest };
  const path = firstDifference(
    { thread_id, kind, digest, status, decision },
    { ...given, ...answerOf(decided, isOpen) },
  );
  const faults = [
    path !== null && `${path} is not what the journal gives`,
    digest !== approvalDigest(content) && "content is not what its digest was taken of",
    !isNear(created_at, request.at) && "created_at is not when the journal asked for it",
    !isDecidedAt(decided_at, decided) && "decided_at is not when the journal recorded the decision",
    expires_at <= created_at && "expires_at is before created_at",
  ];
  return faults.filter((fault) => fault !== false);
}

const isDecidedAt = (decided_at: string | null, decided: JournalEvent | undefined): boolean =>
  decided_at === null || decided === undefined
    ? decided_at === null && decided === undefined
    : isNear(decided_at, decided.at);

function answerOf(decided: DecisionEvent | undefined, isOpen: boolean) {
  if (decided === undefined) return { status: isOpen ? "pending" : "superseded", decision: null };
  const { approval_id: _approval_id, status, ...decision } = decided.body;
  return { status, decision };
}

// Checks the order of a journal: a step that needs an approval starts after it, and a decision follows its request
// [5.policy.approval].

/** The returned function takes the events of a journal in their order. */
function createOrderCheck(): (event: JournalEvent) => Fault | null {
  const asked = new Set<string>();
  const granted = new Set<string>();
  let needed: string | null = null;
  let isAgent = false;
  return (event) => {
    const fault = (what: string): Fault => ({ rule: "approval", fault: `journal entry ${event.seq} ${what}.` });
    if (event.kind === "policy_judged" && asks(event.body)) needed ??= "";
    // The rule of agents checks the calls of an agent, which are judged one by one.
    if (event.kind === "agent_replied") isAgent = true;
    if (event.kind === "approval_requested" && isAgent) asked.add(event.body.approval_id);
    else if (event.kind === "approval_requested") {
      needed = event.body.approval_id;
      asked.add(needed);
    }
    if (event.kind === "approval_decided") {
      const { approval_id, status } = event.body;
      if (status === "approved") granted.add(approval_id);
      else granted.delete(approval_id);
      if (!asked.has(approval_id)) return fault("decides on an approval that was not requested before it");
      if (!isSound(event.body)) return fault("has a status that does not match its decision");
    }
    const runs = acts(event) && needed !== null && !granted.has(needed);
    return runs ? fault("starts a step without the approval that it needs") : null;
  };
}

const acts = (event: JournalEvent): boolean =>
  event.kind === "step_started" || (event.kind === "skill_step_started" && event.body.repeatable !== true);

const asks = ({ findings }: EventBody<"policy_judged">): boolean => findings.some(({ verdict }) => verdict === "ask");

const isSound = ({ status, decision }: EventBody<"approval_decided">): boolean =>
  (status === "approved") === (decision === "approve");
