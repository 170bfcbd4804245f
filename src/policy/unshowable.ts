// Content that an approval could not hold: too much of it, or values that no text shows.
import type { Finding } from "../domain/finding.ts";
import { structuralIssue } from "../domain/json.ts";
import { canonicalJson } from "../domain/json-values.ts";
import type { Step } from "../domain/step.ts";
import { sentStep } from "../domain/step-run.ts";

type Plan = { readonly steps: readonly Step[]; readonly contract: Parameters<typeof sentStep>[1] };

/** Far more than a human reads: resolved parameters can repeat a large payload in every step. */
const MAX_BYTES = 1_048_576;

/** Blocks the first step whose resolved arguments an approval could not hold: content that cannot be shown cannot be approved. */
export function unshowable({ steps, contract }: Plan): Finding[] {
  let bytes = 0;
  for (const [step_index, step] of steps.entries()) {
    if (step.kind !== "mcp_call") continue;
    const sent = sentStep(step, contract).arguments;
    bytes += Buffer.byteLength(canonicalJson(sent));
    const issue = structuralIssue(sent);
    const fault = issue === null ? null : `${issue.path} ${issue.message}`;
    const why = fault ?? (bytes > MAX_BYTES ? `the steps come to more than ${MAX_BYTES} bytes; pass less of it` : null);
    if (why === null) continue;
    const reason = `with its parameters resolved, ${why}`;
    return [{ step_index, verdict: "block", code: "parameter.too_large", reason, command: null, category: null }];
  }
  return [];
}
