// The contract that a procedure is explained with while no task asks for it: its key, the tool servers that it calls, nothing else.
import type { Input, OperationAnswer } from "../operations.ts";

type Contract = Input<"explain">["contract"];
type Sop = OperationAnswer<"get_sop">["sop"];

export const contractOfSop = (
  { intent, target, steps }: Pick<Sop, "intent" | "target" | "steps">,
  task_id = ANY_TASK,
): Contract => ({
  task_id,
  intent,
  target,
  delegation_mode: "known_only",
  success_criteria: [],
  constraints: { implicit_scope: serversOf(steps), require_approval_for: [] },
});

/** What steps show in the place of the id of their task, which differs from run to run. */
const ANY_TASK = "TASK-ID";

const serversOf = (steps: Sop["steps"]): string[] => [
  ...new Set(steps.flatMap((step) => (step.kind === "mcp_call" ? [step.server] : []))),
];

/** What only a contract settles, and what is said of the whole procedure, speaks of no step. */
export const speaksOfStep = ({ code }: { readonly code: string }): boolean =>
  !code.startsWith("scope.") && !code.startsWith("safety.") && code !== "parameter.unknown";
