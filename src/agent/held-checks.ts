// Finds checks of an agent that pass and show nothing of what it did: true before its first change, with a line that decides nothing,
// or of what it made itself or left as it was. The verdict holds that against them where the agent has heard it.
import type { AgentCall } from "../domain/agent-events.ts";
import type { TaskContract } from "../domain/contract.ts";
import { wordingFault } from "../proof/misread.ts";
import { ownMarker } from "../proof/own-marker.ts";
import { FINISH } from "./catalogue.ts";
import { checkCommand, isSameCheck } from "./named-checks.ts";

/** The texts of the contract that name the goal. */
type GoalText = Pick<TaskContract, "success_criteria"> & Partial<Pick<TaskContract, "target" | "payload">>;

/**
 * Whether the check passed before the first change of the run: then it shows nothing of what the run did. One that also failed
 * before it, as a service that starts does, is none of these.
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

/** The verdict counts this against a check only where the agent has heard of it: agents of earlier versions have not. */
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

/** Null where it did none, or one that is no command. */
function changesIn(calls: readonly AgentCall[]): readonly string[] | null {
  const changing = calls.filter(({ effect, result, step }) => effect === "changes" && result !== null && step !== null);
  const texts = changing.map((call) => checkCommand(call));
  const known = texts.filter((text) => text !== null);
  return known.length === 0 || known.length < texts.length ? null : known;
}

/** Why none of the checks counts: each has a line that decides nothing, or looks only at what the agent made or left as it was. */
export function weaknessIn(checks: readonly AgentCall[], calls: readonly AgentCall[], goal: GoalText): string | null {
  const commands = calls.flatMap(({ effect, result, step }) =>
    effect === "changes" && result?.status === "passed" ? (checkCommand({ step }) ?? []) : [],
  );
  const changes = changesIn(calls);
  const directory = goal.target?.["compose_dir"];
  // The place of the task says nothing of what is to be done there.
  const { compose_dir: _place, ...target } = goal.target ?? {};
  const contract = JSON.stringify([goal.success_criteria, target, goal.payload ?? {}]);
  const weaknessOf = (check: AgentCall): string | null => {
    const text = checkCommand(check);
    if (text === null) return null;
    const fault = wordingFault(text);
    if (fault !== null) return `${IDLE_LINE}: ${fault}`;
    // One that was red in this run depends on something that has changed since.
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
