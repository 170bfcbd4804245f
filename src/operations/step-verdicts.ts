// What policy says of each step of a plan, as explain shows it.
import { z } from "zod";
import type { TaskContract } from "../domain/contract.ts";
import { Finding, permissionOf } from "../domain/finding.ts";
import type { Step } from "../domain/step.ts";
import { commandText } from "../domain/step-words.ts";
import { inspectCommand, type ShellContext } from "../guard/guard.ts";
import { shellContextOf } from "../policy/judge-plan.ts";

export const StepVerdict = z.strictObject({
  index: z.int(),
  kind: z.string(),
  command: z.string(),
  saw: z.array(z.string()).describe("the commands that policy saw in a shell step, with every word resolved"),
  verdict: z.enum(["allow", "ask", "block"]),
  findings: z.array(Finding),
  model_would_be_asked: z.boolean(),
});

type Judged = {
  readonly contract: TaskContract;
  readonly steps: readonly Step[];
  readonly findings: readonly Finding[];
  readonly home: string;
  /** Whether the routing model is asked about what the rules let run. */
  readonly asks_model: boolean;
};

export const verdictsOn = ({ contract, steps, findings, home, asks_model }: Judged): z.infer<typeof StepVerdict>[] =>
  steps.map((step, index) => {
    const own = findings.filter((finding) => finding.step_index === index);
    const permission = permissionOf(own);
    return {
      index,
      kind: step.kind,
      command: commandText(step),
      saw: step.kind === "cmd" || step.kind === "check" ? seenIn(step.value, shellContextOf(contract, home)) : [],
      verdict: permission === "deny" ? "block" : permission,
      findings: own,
      model_would_be_asked: asks_model && permission !== "deny" && step.kind !== "wait",
    };
  });

const seenIn = (command: string, context: ShellContext): string[] => [...inspectCommand(command, context).commands];
