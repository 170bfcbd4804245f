// How a contract is verified from outside once it is done, as explain says it: by which version, or why it would give no verdict.
import type { TaskContract } from "../domain/contract.ts";
import { targetSignature } from "../domain/target.ts";
import { verificationText, verifierIntent } from "../domain/verification.ts";
import { activeSop } from "../tasks/active-sop.ts";
import { verifierFault } from "../tasks/verify-by.ts";
import type { OperationDeps } from "./deps.ts";

type Deps = Pick<OperationDeps, "store">;

/** Null where the contract does not say. */
export async function explainVerification({ store }: Deps, contract: TaskContract): Promise<string | null> {
  const text = verificationText(contract);
  const intent = verifierIntent(contract);
  if (text === null || intent === null) return text;
  const fault = await verifierFault(store, contract, []);
  if (fault !== null) return `${text}. As it is now, it would give no verdict: ${fault}`;
  const sop = await activeSop(store, { intent, target_signature: targetSignature(contract.target) });
  return sop === null || "reason_code" in sop
    ? text
    : `${text}. It would run SOP ${sop.sop_id}, version ${sop.version}.`;
}
