// Finds an agent's checks that pass without showing what it did. They passed before its first change, have a line that decides nothing,
// or read only marker files or unchanged files. The verdict rejects such a check only if a refused `finish` informed the agent before.
import type { AgentCall } from "../domain/agent-events.ts";
import type { TaskContract } from "../domain/contract.ts";
import { wordingFault } from "../proof/misread.ts";
import { ownMarker } from "../proof/own-marker.ts";
import { FINISH } from "./catalogue.ts";
import { checkCommand, isSameCheck } from "./named-checks.ts";

/** The texts of the contract that name the goal. */
type GoalText = Pick<TaskContract, "success_criteria"> & Partial<Pick<TaskContract, "target" | "payload">>;

/**
 * Decides whether the check passed before the first change of the run. Such a check does not show what the run did. A check that also
 * failed before the change, as for a service that is still starting, does not count as one.
 */
export function wasTrueBefore(calls: readonly AgentCall[], check: AgentCall): boolean {
  const first = calls.findIndex(({ effect, result }) => effect === "changes" && result !== null);
  if (first < 0 || first > check.index) return false;
  const before = calls.slice(0, first).filter((one) => one.result !== null && isSameCheck(one, check));
  return before.length > 0 && before.every(({ result }) => result?.status === "passed");
}

export const TRUE_BEFORE = "it was true before your first change";

const OWN_MARKER = "it looks only at";
const IDLE_LINE = "not every line of it counts";

/** The verdict rejects a check for these only if the agent was informed before. Agents of earlier versions were not. */
const HELD_AGAINST = [TRUE_BEFORE, OWN_MARKER, IDLE_LINE];

const hasHeard = (calls: readonly AgentCall[], words: string): boolean =>
  calls.some(({ name, state, reason }) => name === FINISH && state === "faulty" && reason?.includes(words));

export const isHeardWeak = (calls: readonly AgentCall[], check: AgentCall): boolean =>
  [OWN_MARKER, IDLE_LINE].some((words) => hasHeard(calls, `${named(check)} does not count: ${words}`));

export const named = (check: AgentCall): string => `the check ${JSON.stringify(checkCommand(check) ?? check.name)}`;

export const hasHeardOfTrueBefore = (calls: readonly AgentCall[]): boolean => hasHeard(calls, TRUE_BEFORE);

export const isHeldAgainst = (objection: string): boolean => HELD_AGAINST.some((words) => objection.includes(words));

export const hasHeardWhatIsHeld = (calls: readonly AgentCall[]): boolean =>
  HELD_AGAINST.some((words) => hasHeard(calls, words));

/** Returns the commands that changed something. Null if there are none, or if a change was not a command. */
function changesIn(calls: readonly AgentCall[]): readonly string[] | null {
  const changing = calls.filter(({ effect, result, step }) => effect === "changes" && result !== null && step !== null);
  const texts = changing.map((call) => checkCommand(call));
  const known = texts.filter((text) => text !== null);
  return known.length === 0 || known.length < texts.length ? null : known;
}

/** Explains why none of the checks counts: each has a line that decides nothing, or reads only marker files or unchanged files. */
export function weaknessIn(checks: readonly AgentCall[], calls: readonly AgentCall[], goal: GoalText): string | null {
  const commands = calls.flatMap(({ effect, result, step }) =>
    effect === "changes" && result?.status === "passed" ? (checkCommand({ step }) ?? []) : [],
  );
  const changes = changesIn(calls);
  const directory = goal.target?.["compose_dir"];
  // The directory of the task does not describe its goal.
  const { compose_dir: _place, ...target } = goal.target ?? {};
  const contract = JSON.stringify([goal.success_criteria, target, goal.payload ?? {}]);
  const weaknessOf = (check: AgentCall): string | null => {
    const text = checkCommand(check);
    if (text === null) return null;
    const fault = wordingFault(text);
    if (fault !== null) return `${IDLE_LINE}: ${fault}`;
    // A check that failed earlier in this run depends on something that has changed since.
    const wasRed = calls.some((one) => isSameCheck(one, check) && one.result?.status === "failed");
    const marker = ownMarker({ check: text, commands, changes: wasRed ? null : changes, contract, directory });
    if (marker === null) return null;
    const whose = marker.is === "made" ? "which you made" : "which you have not changed";
    return `${OWN_MARKER} ${JSON.stringify(marker.path)}, ${whose}; name a check of the goal itself`;
  };
  const found = checks.map(weaknessOf);
  const [check] = checks;
  const [weakness] = found;
  if (check === undefined || weakness == null || found.includes(null)) return null;
  return `${named(check)} does not count: ${weakness}`;
}
