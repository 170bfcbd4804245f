// What the spans say of the work, from the events of its journal: numbers, codes and names that orch knows (D-391).
import type { Attributes } from "@opentelemetry/api";
import type { JournalEvent } from "../domain/journal.ts";
import type { StepResult } from "../domain/step.ts";
import { subjectOfThread } from "../domain/thread-id.ts";
import { ATTRIBUTE } from "./names.ts";

export const kindOfThread = (thread_id: string) => subjectOfThread(thread_id).kind;

export function stretchAttributes(thread_id: string, events: readonly JournalEvent[], is_first: boolean): Attributes {
  const attributes: Attributes = { [ATTRIBUTE.thread_id]: thread_id };
  for (const event of events) {
    if (event.kind === "sop_pinned") Object.assign(attributes, sopAttributes(event.body));
    if (event.kind !== "task_accepted") continue;
    const { contract, backend } = event.body;
    attributes[ATTRIBUTE.intent] = contract.intent;
    attributes[ATTRIBUTE.delegation_mode] = contract.delegation_mode;
    if (backend !== undefined) attributes[ATTRIBUTE.backend] = backend;
    if (is_first) attributes[ATTRIBUTE.queued_ms] = Math.max(0, Date.now() - Date.parse(event.at));
  }
  return attributes;
}

export const sopAttributes = ({ sop_id, sop_version }: Pinned): Attributes => ({
  ...(sop_id !== null && { [ATTRIBUTE.sop_id]: sop_id }),
  ...(sop_version !== null && { [ATTRIBUTE.sop_version]: sop_version }),
});

type Pinned = { readonly sop_id: string | null; readonly sop_version: number | null };

export const resultAttributes = ({ kind, status, exit_code, timed_out, ...result }: StepResult): Attributes => ({
  [ATTRIBUTE.step_kind]: kind,
  [ATTRIBUTE.step_status]: status,
  [ATTRIBUTE.stdout_bytes]: result.stdout_bytes,
  [ATTRIBUTE.stderr_bytes]: result.stderr_bytes,
  ...(exit_code !== null && { [ATTRIBUTE.exit_code]: exit_code }),
  ...(status !== "passed" && { [ATTRIBUTE.error_type]: timed_out ? "timed_out" : status }),
});
