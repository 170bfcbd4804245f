// The approvals of a skill: what its handler asks, and what the contract's categories ask for it (spec section 5). The
// decision counts for exactly the content that was asked for: a handler that asks for something else asks anew.
import { type Approval, approvalDigest, type Decided, SkillContent } from "../../src/domain/approval.ts";
import { canonicalJson } from "../../src/domain/canonical-json.ts";
import { signatureOf } from "../../src/domain/contract.ts";
import { eventsOf } from "../../src/domain/journal.ts";
import type { Change, SkillContext } from "../../src/ports.ts";
import { decisionOn } from "../nodes/await-approval.ts";
import { createAnswering } from "../nodes/match-categories.ts";
import { newApproval, requested } from "../nodes/request-approval.ts";
import { because } from "../why.ts";
import type { Handling } from "./handling.ts";
import { redactedJson } from "./redacted-json.ts";

export type SkillApprovals = SkillContext["approvals"] & {
  /** Resolves when something may be changed now: what was asked last is approved, or nothing needs to be asked. */
  readonly permit: () => Promise<void>;
};

export function skillApprovals(handling: Handling): SkillApprovals {
  const { thread, contract, leave, inTurn, redact } = handling;
  const { journal } = thread;
  const categories = contract.constraints.require_approval_for;

  /** Asked about once, until something else is asked for. */
  let isPermitted = false;

  const request = (given: SkillContent): Promise<string> =>
    inTurn(async () => {
      const content = SkillContent.parse(redactedJson(redact, given));
      const digest = approvalDigest(content);
      const asked = eventsOf(journal.events, "approval_requested");
      const same = asked.find((one) => one.digest === digest);
      if (same !== undefined) return same.approval_id;
      isPermitted = false;
      const approval: Approval = newApproval(handling, contract.task_id, "skill", content);
      const open = asked.filter(({ approval_id }) => decisionOn(journal.events, approval_id) === undefined);
      const superseded = open.map(
        ({ approval_id }): Change => ({ on: "approval", approval_id, set: { status: "superseded" } }),
      );
      await journal.commit([requested(approval)], [...superseded, { on: "approval_created", approval }]);
      return approval.approval_id;
    });

  const wait = async (approval_id: string): Promise<Decided> => {
    const decided = await inTurn(() => decisionOn(journal.events, approval_id));
    return decided ?? leave({ is: "asks", approval_id });
  };

  const lastAsked = () => eventsOf(journal.events, "approval_requested").at(-1)?.approval_id;

  /** The routing gate's question, about the task as a whole: its payload says what it does. */
  const isNeeded = () =>
    inTurn(async () => {
      const answerFor = createAnswering(handling, thread, contract);
      return (await answerFor(redact(`${contract.intent} ${canonicalJson(contract.payload)}`))).requires_approval;
    });

  const permit = async (): Promise<void> => {
    if (isPermitted) return;
    let approval_id = await inTurn(lastAsked);
    if (approval_id === undefined && categories.length > 0 && (await isNeeded())) {
      approval_id = await request(wholeTask(handling));
    }
    isPermitted = true;
    if (approval_id === undefined) return;
    const { decision, status, reason } = await wait(approval_id);
    if (decision === "approve") return;
    const said = reason === null ? "" : `: ${reason}`;
    const why =
      status === "expired"
        ? because("approval_expired", "Nobody decided in time.")
        : because("approval_rejected", `The approval was rejected${said}.`);
    return leave({ is: "refused", why });
  };

  return { request, wait, permit };
}

const wholeTask = ({ contract }: Handling): SkillContent => ({
  intent: contract.intent,
  target_signature: signatureOf(contract),
  action: `${contract.intent} is about to change something, and the contract names categories that need an approval.`,
  details: JSON.stringify(contract.payload, null, 2).split("\n"),
  data: contract.payload,
});
