// Judges the tool calls that may only look, by what their servers say of the tools: those of a diagnostic intent, and checks. A tool
// server is asked, so this is apart from the pure rules (D-187).
import { READ_ONLY_INTENTS, type TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import type { Procedure } from "../domain/journal.ts";
import { isCheck, type Step } from "../domain/step.ts";
import { toolFinding } from "../policy/tool-finding.ts";
import type { ToolServers } from "../ports.ts";

type ToolPlan = {
  readonly intent: string;
  readonly steps: readonly Step[];
  /** The steps of an active SOP: a supervisor has approved its promotion, so an unknown effect is no question. */
  readonly proved: boolean;
};

export const toolPlan = ({ intent }: TaskContract, { steps, sop_id }: Procedure): ToolPlan => ({
  intent,
  steps,
  proved: sop_id !== null,
});

/** Any other tool call needs its server in implicit_scope and nothing else. */
export async function judgeTools(
  { intent, steps, proved }: ToolPlan,
  tools: Pick<ToolServers, "effectOf">,
  signal: AbortSignal,
): Promise<Finding[]> {
  const onlyLooks = READ_ONLY_INTENTS.has(intent);
  const found = await Promise.all(
    steps.map(async (step, step_index) => {
      if (step.kind !== "mcp_call" || !(onlyLooks || isCheck(step))) return [];
      const effect = await tools.effectOf(step, signal);
      const finding = toolFinding(`${step.server}.${step.tool}`, effect, onlyLooks ? `intent ${intent}` : "a check");
      return finding === null || (finding.verdict === "ask" && proved) ? [] : [{ ...finding, step_index }];
    }),
  );
  return found.flat();
}
