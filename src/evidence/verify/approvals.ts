// Checks the approvals of an evidence bundle against its journal, which records each request with the digest of its
// content, and each decision. The reason in words and the interrupt's id are not in the journal, so they are not checked.
import { type Approval, approvalDigest } from "../../domain/approval.ts";
import type { JournalEvent } from "../../domain/journal.ts";
import { hasEnded } from "../../domain/outcome.ts";
import type { Evidence } from "../bundle.ts";
import { firstDifference } from "../readings.ts";
import type { DecisionEvent, JournalWalk, RequestEvent } from "./walk.ts";

export function approvalFaults(evidence: Evidence, { requests, decisions, state }: JournalWalk): string[] {
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
function proofFaults({ content }: Approval, { versions }: JournalWalk["state"]): string[] {
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

const PATIENCE_MS = 600_000;

/** Whether the time in a record is that of its journal entry: the record's is taken a moment before, and a commit may wait for its turn. */
export const isNear = (one: string, other: string): boolean =>
  Math.abs(Date.parse(one) - Date.parse(other)) <= PATIENCE_MS;
