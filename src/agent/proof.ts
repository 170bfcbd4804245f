// What the checks of an agent are worth (D-195): their examinations, and how the same checks ended before the last change.
import type { AgentCall } from "../domain/agent-events.ts";
import type { TaskContract } from "../domain/contract.ts";
import { type BeforeLook, type Examination, proofOf } from "../domain/proof.ts";
import type { StepResult } from "../domain/step.ts";
import { isRed } from "../domain/step-run.ts";
import type { CheckExaminer } from "../proof/port.ts";
import { WITHOUT_A_WORLD } from "../tasks/check-looks.ts";
import type { Projection } from "../tasks/projection.ts";
import type { ThreadJournal } from "../tasks/thread.ts";
import type { ProofOf } from "./finish.ts";
import { checkCommand, isSameCheck } from "./named-checks.ts";

/** Follows from the journal alone. */
export const agentProofs =
  ({ agent: { calls }, proof: { examinations } }: Projection): ProofOf =>
  (check) => {
    const examination = examinationOf(calls, examinations, check);
    return examination && proofOf(examination, before(calls, check));
  };

/** Also of an earlier run of the same command: an examination is one of a text, not of a run. */
function examinationOf(
  calls: readonly AgentCall[],
  examinations: ReadonlyMap<number, Examination>,
  check: AgentCall,
): Examination | undefined {
  const command = checkCommand(check);
  const same = [...examinations].findLast(
    ([index]) => index === check.index || (command !== null && checkCommand(calls[index] ?? NONE) === command),
  );
  return same?.[1];
}

const NONE = { step: null };

/** The colour of the check before the last change; red when any such run was red. Null when it did not run then. */
function before(calls: readonly AgentCall[], check: AgentCall): Pick<BeforeLook, "answer"> | null {
  const change = calls.findLast(
    ({ index, effect, result }) => index < check.index && effect === "changes" && result !== null,
  );
  if (change === undefined || check.step?.kind === "skill_tool") return null;
  const runs = calls.slice(0, change.index).filter((call) => isSameCheck(call, check) && call.result !== null);
  if (runs.some(({ result }) => isRedRun(result))) return { answer: "red" };
  return runs.some(({ result }) => result?.status === "passed") ? { answer: "green" } : null;
}

/** A call of a tool that did not arrive says nothing of what it looks at. */
const isRedRun = (result: StepResult | null): boolean =>
  result !== null &&
  result.never_sent !== true &&
  result.status === "failed" &&
  !result.timed_out &&
  result.exit_code !== null &&
  isRed(result.exit_code);

/** Records what the checks are worth that have no examination yet. */
export async function examineNamed(
  examiner: CheckExaminer,
  journal: ThreadJournal,
  contract: TaskContract,
  checks: readonly AgentCall[],
): Promise<void> {
  const { agent, proof } = journal.projection;
  const open = checks.filter((check) => examinationOf(agent.calls, proof.examinations, check) === undefined);
  const commands = agent.calls.flatMap((call) => (call.effect === "changes" ? (checkCommand(call) ?? []) : []));
  const examined = await Promise.all(
    open.map(async (check) => {
      const text = checkCommand(check);
      const found =
        text === null ? WITHOUT_A_WORLD : await examiner.examine({ text, contract, commands, decoy_on: "confined" });
      return { step_index: check.index, ...found };
    }),
  );
  if (examined.length > 0) journal.note({ kind: "checks_examined", body: { checks: examined } });
}
