// The version that a task would run, and why there may be none: it was never promoted, an update of it waits, or it is not
// what was promoted (D-227).
import { approvalDigest, type ProcedureContent } from "../domain/approval.ts";
import { OrchError } from "../domain/errors.ts";
import { digestOf } from "../domain/json.ts";
import { type Reason, reason } from "../domain/outcome.ts";
import { parseOrigin, type Sop } from "../domain/sop.ts";
import { promotionThread } from "../domain/thread-id.ts";
import type { Store } from "../ports.ts";

type Reads = Pick<Store, "findActiveSop" | "listSops" | "listApprovals">;
type Key = Pick<Sop, "intent" | "target_signature">;

/** Null when there is none. A reason when there is one that must not run. */
export async function activeSop(store: Reads, { intent, target_signature }: Key): Promise<Sop | Reason | null> {
  const sop = await store.findActiveSop(intent, target_signature).catch((error: unknown) => {
    if (error instanceof OrchError && error.code === "quarantined") return altered(error.message);
    throw error;
  });
  if (sop === null || "reason_code" in sop || (await isAsPromoted(store, sop))) return sop;
  const what = `Version ${sop.version} of ${intent} on "${target_signature}"`;
  return altered(`${what} is not what was promoted: the database was changed since`);
}

const altered = (why: string): Reason => reason("sop_altered", `${why}. Nothing of it runs.`);

type Promoted = Pick<ProcedureContent, "steps" | "criteria" | "safety_level" | "preconditions">;

const promotedDigest = ({ steps, criteria, safety_level, preconditions }: Promoted): string =>
  digestOf({ steps, criteria, safety_level, preconditions });

/** Compares the row with the content of its approval, and that with the digest of which the human decided. */
async function isAsPromoted(store: Reads, sop: Sop): Promise<boolean> {
  const origin = parseOrigin(sop.origin);
  const thread_id = origin.by === "update_sop" ? origin.task_id : promotionThread(sop.sop_id);
  const approvals = await store.listApprovals({ thread_id, status: "approved", limit: 100 });
  const own = approvals.filter(({ content }) => "sop_id" in content && content.sop_id === sop.sop_id);
  return own.every(
    ({ content, digest }) =>
      "safety_level" in content &&
      approvalDigest(content) === digest &&
      promotedDigest(content) === promotedDigest(sop),
  );
}

/** One sentence. While an update waits for its approval, the version before it is set aside. */
export async function noActiveSop(store: Reads, { intent, target_signature }: Key): Promise<string> {
  const none = `No active SOP for ${intent} on "${target_signature}"`;
  const candidates = await store.listSops({ intent, target_signature, status: "candidate", limit: 100 });
  const updates = candidates.flatMap(({ version, origin }) => {
    const parsed = parseOrigin(origin);
    return parsed.by === "update_sop" ? [{ version, task_id: parsed.task_id }] : [];
  });
  const [update] = updates;
  if (update === undefined) return `${none}.`;
  return `${none} now: version ${update.version} waits for the approval that the update task ${update.task_id} asks for, and the version before it is set aside until then.`;
}
