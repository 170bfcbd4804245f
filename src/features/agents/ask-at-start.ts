// Asks before an agent begins where its contract lets it write what runs later, outside of the space of its task: no single call shows
// that.
import type { AgentContent } from "../../domain/approval.ts";
import { READ_ONLY_INTENTS, scopeOf, signatureOf, type TaskContract } from "../../domain/contract.ts";
import type { Finding } from "../../domain/finding.ts";
import { printable } from "../../domain/printable.ts";
import type { AgentExecution, AgentServices } from "./agent-services.ts";
import { SHELL } from "./catalogue.ts";

type Places = Awaited<ReturnType<AgentExecution["runsLater"]>>;

/** Commands of an intent that only reads change nothing, and an agent without a shell writes no files. */
export async function startFindings(
  { execution }: Pick<AgentServices, "execution">,
  contract: TaskContract,
): Promise<Finding[]> {
  if (READ_ONLY_INTENTS.has(contract.intent) || !scopeOf(contract).has(SHELL)) return [];
  return (await execution.runsLater(contract)).map(placeFinding);
}

const placeFinding = ({ named, real, why }: Places[number]): Finding => ({
  step_index: 0,
  verdict: "ask",
  code: "agent.runs_later",
  reason: `the agent may write to ${printable(named)}${real === named ? "" : ` (${printable(real)})`}, which is ${printable(why)}: what is written there runs later, outside of this task's space`,
  command: null,
  category: null,
});

type Start = Pick<AgentContent, "runs_on"> & {
  readonly contract: TaskContract;
  readonly findings: readonly Finding[];
};

/** Describes the approval before the first call. */
export const startContent = ({ contract, runs_on, findings }: Start): AgentContent => ({
  intent: contract.intent,
  target_signature: signatureOf(contract),
  turn: 1,
  calls: [],
  findings: [...findings],
  ...(runs_on !== undefined && { runs_on }),
  contract,
});
