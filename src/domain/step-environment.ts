// The environment variables that pass the task to a shell step. orch never inserts them into the text of a command.

import { canonicalJson } from "./canonical-json.ts";
import type { TaskContract } from "./contract.ts";

/** Returns `ORCH_TARGET_<KEY>` for each target attribute, `ORCH_PAYLOAD` (canonical JSON) and `ORCH_TASK_ID`. */
export function stepEnvironment(
  contract: Pick<TaskContract, "task_id" | "target" | "payload">,
): Record<string, string> {
  return Object.fromEntries([
    ...Object.entries(contract.target).map(([key, value]) => [`ORCH_TARGET_${key.toUpperCase()}`, value]),
    ["ORCH_PAYLOAD", canonicalJson(contract.payload)],
    ["ORCH_TASK_ID", contract.task_id],
  ]);
}
