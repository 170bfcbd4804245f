// explain: what would become of a contract, without running or asking anything. The routing model is not consulted: where
// its answer would decide, that is what explain says.
import { z } from "zod";
import { missingMode } from "../../graphs/nodes/admit.ts";
import { TaskContract } from "../domain/contract.ts";
import { Finding, permissionOf } from "../domain/policy/finding.ts";
import { inspectCommand, type ShellContext } from "../domain/policy/judge-command.ts";
import { judgePlan, shellContextOf } from "../domain/policy/judge-plan.ts";
import { SafetyLevel } from "../domain/sop.ts";
import { commandText, type Step, Steps } from "../domain/step.ts";
import { targetSignature } from "../domain/target.ts";
import type { OperationDeps } from "./deps.ts";
import { operation, READ } from "./operation.ts";
import { unknownIntent } from "./submit-task.ts";

const Would = z.enum(["run", "ask", "ask_model", "block", "need_input"]);

const StepVerdict = z.strictObject({
  index: z.int(),
  kind: z.string(),
  command: z.string(),
  saw: z.array(z.string()).describe("the commands that policy saw in a shell step, with every word resolved"),
  verdict: z.enum(["allow", "ask", "block"]),
  findings: z.array(Finding),
  model_would_be_asked: z.boolean(),
});

export const explain = operation({
  name: "explain",
  summary: "Which SOP a contract would run, policy's verdict on each step, and the approvals it would ask for.",
  method: "POST",
  path: "/v1/explain",
  scope: "read",
  hints: READ,
  input: z.strictObject({
    contract: TaskContract,
    steps: Steps.optional().describe("judge these instead of the stored SOP"),
    safety_level: SafetyLevel.optional(),
  }),
  output: z.strictObject({
    would: Would,
    why: z.string().nullable().describe("what stands in the way where no step's findings tell it"),
    sop: z.strictObject({ sop_id: z.string(), version: z.int() }).nullable(),
    target_signature: z.string(),
    steps: z.array(StepVerdict),
  }),
  handle:
    (deps) =>
    async ({ contract, steps: given, safety_level }) => {
      const target_signature = targetSignature(contract.target);
      const obstacle = obstacleTo(deps, contract);
      const sop = given === undefined ? await deps.store.findActiveSop(contract.intent, target_signature) : null;
      const shown = sop === null ? null : { sop_id: sop.sop_id, version: sop.version };
      const steps = given ?? sop?.steps;
      if (steps === undefined) {
        const would: z.infer<typeof Would> = contract.delegation_mode === "teach_if_unknown" ? "need_input" : "block";
        const unknown = `There is no active SOP for ${contract.intent} on "${target_signature}".`;
        return {
          would: obstacle === null ? would : "block",
          why: obstacle ?? unknown,
          sop: null,
          target_signature,
          steps: [],
        };
      }
      const level = safety_level ?? sop?.safety_level ?? "standard";
      const { intent } = contract;
      const context = { home: deps.home };
      const proved = given === undefined;
      const findings = judgePlan({ contract, steps, safety_level: level, intent, context, proved });
      return {
        would: obstacle === null ? wouldBe(contract, findings) : "block",
        why: obstacle,
        sop: shown,
        target_signature,
        steps: verdicts(contract, steps, findings, deps.home),
      };
    },
});

/** What would keep the contract from being taken up at all. */
function obstacleTo({ intents }: OperationDeps, contract: TaskContract): string | null {
  if (!intents.has(contract.intent)) return `${JSON.stringify(contract.intent)} ${unknownIntent(intents)}.`;
  const missing = missingMode(contract);
  return missing === null ? null : `This version of orch has no ${missing}.`;
}

const namesCategories = ({ constraints }: TaskContract): boolean => constraints.require_approval_for.length > 0;

function wouldBe(contract: TaskContract, findings: readonly Finding[]): z.infer<typeof Would> {
  const permission = permissionOf(findings);
  if (permission === "deny") return "block";
  if (permission === "ask") return "ask";
  return namesCategories(contract) ? "ask_model" : "run";
}

const seenIn = (command: string, context: ShellContext): string[] => [...inspectCommand(command, context).commands];

const verdicts = (contract: TaskContract, steps: readonly Step[], findings: readonly Finding[], home: string) =>
  steps.map((step, index) => {
    const own = findings.filter((finding) => finding.step_index === index);
    const permission = permissionOf(own);
    return {
      index,
      kind: step.kind,
      command: commandText(step),
      saw: step.kind === "cmd" || step.kind === "check" ? seenIn(step.value, shellContextOf(contract, home)) : [],
      verdict: permission === "deny" ? ("block" as const) : permission,
      findings: own,
      model_would_be_asked: namesCategories(contract) && permission !== "deny" && step.kind !== "wait",
    };
  });
