// A procedure that has proved itself is a candidate; a human decides whether it becomes the one that is used.
import { approvalDigest } from "../../../../src/domain/approval.ts";
import type { Answer } from "../../../support/orch-process.ts";
import { within } from "../readable.ts";
import type { Chapter, Scene } from "../scene.ts";

export const promotion: Chapter = {
  title: "What has proved itself may be kept, if someone agrees",
  play: async (scene) => {
    const cursor = await readMessages(scene);
    const approval = await readApproval(scene);
    await agree(scene, approval, cursor);
  },
};

const MESSAGE = within("messages.*", ["cursor", "thread_id", "outcome.label", "outcome.reason_code"]);

const reasonIs = (reason_code: string) => (message: { outcome: { reason_code: string } }) =>
  message.outcome.reason_code === reason_code;

const has =
  (reason_code: string) =>
  ({ body }: Answer): boolean =>
    body.messages.some(reasonIs(reason_code));

async function readMessages({ story, supervisor }: Scene): Promise<number> {
  story.say("orch never talks to a human. What it has to say to the supervisor is one list of messages:");
  const shown = [...MESSAGE, "next_cursor"];
  const { body } = await supervisor.getUntil("/v1/messages?after=0", has("promotion_pending"), shown);
  const { thread_id } = body.messages.find(reasonIs("promotion_pending"));
  story.expectThat(thread_id.startsWith("promotion/"), "the taught steps are now a candidate that asks for approval");
  return body.next_cursor;
}

type Shown = { readonly approval_id: string; readonly digest: string };

async function readApproval({ story, supervisor }: Scene): Promise<Shown> {
  story.say("Before anyone agrees, this is what they agree to:");
  const fields = ["intent", "target_signature", "sop_version", "proof.level", "proof.warnings", "steps", "criteria"];
  const content = within("content", fields);
  const shown = within("approvals.*", ["approval_id", "kind", "status", "expires_at", ...content, "digest"]);
  const { body } = await supervisor.get("/v1/approvals?status=pending", shown);
  const [approval] = body.approvals;
  story.expectThat(
    approvalDigest(approval.content) === approval.digest,
    "the digest is the SHA-256 of exactly this content",
  );
  const { level, warnings } = approval.content.proof;
  story.expectThat(level === "proved" && warnings.length === 0, "a run has proved it, so there is nothing to warn of");
  return approval;
}

async function agree({ story, supervisor }: Scene, { approval_id, digest }: Shown, cursor: number): Promise<void> {
  story.say("The supervisor asks its human, and answers with the id and the digest of what was shown.");
  const decided_by = "the human whom the supervisor asked";
  const decision = { decision: "approve", approval_id, digest, decided_by };
  const { body } = await supervisor.post("/v1/approve", decision, { shown: ["status", "decision"] });
  const recorded = body.status === "approved" && body.decision.decided_by === decided_by;
  story.expectThat(recorded, "the decision is on record, with who made it");
  await supervisor.getUntil(`/v1/messages?after=${cursor}&wait_seconds=10`, has("promoted"), MESSAGE);
  const { body: active } = await supervisor.look("/v1/sops?intent=deploy&status=active");
  story.expectThat(active.sops.length === 1 && active.sops[0].version === 1, "version 1 of deploy is active");
}
