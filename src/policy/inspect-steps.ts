// The verdict of policy on each step of a plan, with the commands that the guard saw in it.
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import type { Step } from "../domain/step.ts";
import { commandText, environmentOf, sentStep } from "../domain/step-run.ts";
import { inspect, type ShellContext } from "../guard/guard.ts";
import { stepReach } from "./command-reach.ts";
import { permissionOf, shellContextOf } from "./judge-plan.ts";
import { contextsOf } from "./plan-world.ts";

type JudgedPlan = {
  readonly contract: TaskContract;
  readonly steps: readonly Step[];
  readonly findings: readonly Finding[];
  readonly home: string;
  /** Texts of scripts on disk. */
  readonly scripts?: ReadonlyMap<string, string>;
  /** Whether the routing model is asked about what the rules let run. */
  readonly asks_model: boolean;
};

type InspectedStep = {
  readonly index: number;
  readonly kind: string;
  readonly command: string;
  /** The variables of the contract that the command is given. */
  readonly environment: Record<string, string>;
  /** The commands in a shell step, with every word resolved. */
  readonly saw: string[];
  readonly verdict: "allow" | "ask" | "block";
  readonly findings: Finding[];
  readonly model_would_be_asked: boolean;
} & Pick<Finding, "change" | "consequences" | "blast">;

export function inspectSteps({ contract, steps, findings, home, asks_model, scripts }: JudgedPlan): InspectedStep[] {
  const shell = { ...shellContextOf(contract, home), ...(scripts && { files: scripts }) };
  const contexts = contextsOf(steps, shell);
  return steps.map((step, index) => {
    const own = findings.filter((finding) => finding.step_index === index);
    const permission = permissionOf(own);
    return {
      index,
      kind: step.kind,
      command: commandText(sentStep(step, contract)),
      environment: environmentOf(step, contract),
      saw: step.kind === "cmd" || step.kind === "check" ? seenIn(step.value, contexts[index] ?? shell) : [],
      verdict: permission === "deny" ? "block" : permission,
      findings: own,
      model_would_be_asked: asks_model && permission !== "deny" && step.kind !== "wait" && !own.some(isByCode),
      ...stepReach(step, contexts[index] ?? shell),
    };
  });
}

const isByCode = ({ code }: Finding): boolean => code === "category.matched";

const seenIn = (command: string, context: ShellContext): string[] => [...inspect(command, context).commands];
