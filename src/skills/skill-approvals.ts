// The approvals of a skill: those that its handler requests, and the one that the contract's categories require. A decision
// covers exactly the content of its request: other content needs a new request.
import { type Approval, approvalDigest, type Decided, refusalOf, SkillContent } from "../domain/approval.ts";
import { signatureOf } from "../domain/contract.ts";
import { redactedJson } from "../domain/json.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { reason } from "../domain/outcome.ts";
import type { SkillContext } from "../ports.ts";
import { approvalOfTask, requested, withdrawn } from "../tasks/approval-record.ts";
import { createAnswering } from "../tasks/category-answers.ts";
import { runsOnOf } from "../tasks/plan.ts";
import type { Handling, Suspension } from "./handling.ts";

export type SkillApprovals = SkillContext["approvals"] & {
  /** Null when a change may begin: the last request is approved, or none is needed. */
  readonly permit: () => Promise<Suspension | null>;
  /** Whether nothing else was requested since that permit. Call it in the task of the event loop that begins the change. */
  readonly holds: (permit: Promise<Suspension | null>) => boolean;
};

export function skillApprovals(handling: Handling): SkillApprovals {
  const { thread, contract, suspend, serialize, redact } = handling;
  const { journal } = thread;
  const categories = contract.constraints.require_approval_for;

  /** Shared by all steps that wait for it, until something else is requested. */
  let permitted: Promise<Suspension | null> | null = null;

  const request = async (given: SkillContent): Promise<string> => {
    const { runs_on: _theirs, ...own } = given;
    const asked = SkillContent.parse(redactedJson(redact, own));
    const content: SkillContent = { ...asked, ...runsOnOf(journal.projection) };
    if (!content.details.some(isReadable)) return suspend({ is: "refused", reason: nothingToRead(content) });
    return serialize(async () => {
      const digest = approvalDigest(content);
      const same = [...journal.projection.approvals.requests.values()].find((one) => one.digest === digest);
      if (same !== undefined) return same.approval_id;
      permitted = null;
      const approval: Approval = approvalOfTask(handling, contract, "skill", content);
      const superseded = withdrawn(journal.projection);
      await journal.commit([requested(approval)], [...superseded, { on: "approval_created", approval }]);
      return approval.approval_id;
    });
  };

  const decisionIn = (approval_id: string) => serialize(() => journal.projection.approvals.decisions.get(approval_id));

  const wait = async (approval_id: string): Promise<Decided> => {
    const decided = await decisionIn(approval_id);
    if (decided !== undefined) return decided;
    if (approval_id === lastAsked()) return suspend({ is: "asks", approval_id });
    throw new Error("a later request superseded this approval; request one approval at a time");
  };

  const lastAsked = () => journal.projection.approvals.last?.approval_id;

  /** Asks the routing model about the task as a whole: its payload says what it does. */
  const isNeeded = () =>
    serialize(async () => {
      const answerFor = createAnswering(handling, thread, contract);
      const command = redact(`${contract.intent} ${canonicalJson(contract.payload)}`);
      return (await answerFor({ command, environment: {} })).requires_approval;
    });

  const ask = async (): Promise<Suspension | null> => {
    let approval_id = await serialize(lastAsked);
    if (approval_id === undefined && categories.length > 0 && (await isNeeded())) {
      approval_id = await request(wholeTask(handling));
    }
    if (approval_id === undefined) return null;
    const decided = await decisionIn(approval_id);
    if (decided === undefined) return { is: "asks", approval_id };
    if (decided.decision === "approve") return null;
    const { code, message } = refusalOf(decided);
    return { is: "refused", reason: reason(code, message) };
  };

  return {
    request,
    wait,
    permit: () => {
      permitted ??= ask();
      return permitted;
    },
    holds: (permit) => permit === permitted,
  };
}

const isReadable = (line: string): boolean => line.trim() !== "";

const nothingToRead = ({ action }: SkillContent) =>
  reason(
    "approval_empty",
    `The skill asks for an approval with nothing to read (${JSON.stringify(action)}): details must name, line by line, everything that would be done.`,
  );

const listed = ({ constraints }: Handling["contract"]): string => constraints.require_approval_for.join(", ");

const wholeTask = ({ contract }: Handling): SkillContent => ({
  intent: contract.intent,
  target_signature: signatureOf(contract),
  action: `${contract.intent} is about to change something; the contract wants approvals for: ${listed(contract)}.`,
  details: JSON.stringify(contract.payload, null, 2).split("\n"),
  data: contract.payload,
});
