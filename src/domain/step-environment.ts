// The environment variables that give a shell step the values of its task. No text is spliced into a command.

import { canonicalJson } from "./canonical-json.ts";
import type { TaskContract } from "./contract.ts";

/** `ORCH_TARGET_<KEY>` per target attribute, `ORCH_PAYLOAD` (canonical JSON) and `ORCH_TASK_ID`. */
export function stepEnvironment(
  contract: Pick<TaskContract, "task_id" | "target" | "payload">,
): Record<string, string> {
  return Object.fromEntries([
    ...Object.entries(contract.target).map(([key, value]) => [`ORCH_TARGET_${key.toUpperCase()}`, value]),
    ["ORCH_PAYLOAD", canonicalJson(contract.payload)],
    ["ORCH_TASK_ID", contract.task_id],
  ]);
}
