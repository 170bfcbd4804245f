// Decides whether an agent has proved its result: for every success criterion, the last run of a check exited with 0 after the
// last change, and the check is known to be able to fail. The agent's statement alone proves nothing [1.A.5.verification] (D-135)
// (D-195).
import type { AgentCall, Finish } from "../../domain/agent-events.ts";
import { READ_ONLY_INTENTS, type TaskContract } from "../../domain/contract.ts";
import type { BeforeLook, CheckProof, Examination } from "../../domain/proof.ts";
import type { StepResult } from "../../domain/step.ts";
import { isRed } from "../../domain/step-run.ts";
import type { Verdict } from "../../domain/verification.ts";
import type { CheckExaminer } from "../../engine/tasks/check-looks.ts";
import { WITHOUT_A_WORLD } from "../../engine/tasks/check-looks.ts";
import type { Projection } from "../../engine/tasks/projection.ts";
import type { ThreadJournal } from "../../engine/tasks/thread.ts";
import type { Judge } from "../../ports.ts";
import { mendsOf, ownMarker, proofOf, wordingFault } from "../../proof/proof.ts";
import { FINISH } from "./catalogue.ts";
import { checkCommand, commandOf, entriesFor, isCheckCall, isSameCheck, lastRun } from "./named-checks.ts";

/** Undefined where the check was not examined: then it counts. */
export type ProofOf = (check: AgentCall) => CheckProof | undefined;

type Goal = Pick<TaskContract, "intent" | "success_criteria">;

const NOT_EXAMINED: ProofOf = () => undefined;

/** `calls` are all calls of the run. */
export function judgeFinish(
  calls: readonly AgentCall[],
  finish: Finish,
  goal: Goal,
  proofOf: ProofOf = NOT_EXAMINED,
): Verdict {
  const wanted = wantedChecks(calls, finish, goal);
  const proofs = new Set(wanted.flatMap(({ checks }) => checks.map(({ index }) => index)));
  const holds = (check: AgentCall): boolean => finish.done && faultOf(calls, check, proofs) === null;
  const proves = (check: AgentCall): boolean =>
    holds(check) && isEnough(proofOf(check), goal) && !isHeardWeak(calls, check);
  const found = wanted.map(({ criterion, checks }) => {
    const proving = checks.filter(proves);
    const check = proving.find((one) => !wasTrueBefore(calls, one)) ?? proving[0] ?? checks[0];
    return { criterion, check, passed: proving.length > 0 };
  });
  const shows =
    !hasHeardOfTrueBefore(calls) || found.some(({ check }) => check === undefined || !wasTrueBefore(calls, check));
  const judged = found.map((one) => ({ ...one, passed: one.passed && shows }));
  const passed = judged.every((one) => one.passed);
  return {
    passed,
    reason_code: passed ? "verified" : "nothing_verified",
    step_index: null,
    checks: judged.flatMap(({ criterion, check, passed }) => {
      if (check === undefined) return [];
      const proof = holds(check) ? proofOf(check) : undefined;
      const exit_code = check.result?.exit_code ?? null;
      return [{ step_index: check.index, criterion, passed, exit_code, ...(proof && { proof }) }];
    }),
    uncovered_criteria: judged.flatMap(({ criterion, passed }) => (criterion === null || passed ? [] : [criterion])),
  };
}

type Wanted = { readonly criterion: string | null; readonly checks: readonly AgentCall[] };

/** Without criteria, the checks that finish names, or else the one that ran last. */
function wantedChecks(calls: readonly AgentCall[], { criteria }: Finish, { success_criteria }: Goal): Wanted[] {
  const runsOf = (entries: Finish["criteria"]) =>
    entries.flatMap(({ evidence_check }) => lastRun(calls, evidence_check) ?? []);
  if (success_criteria.length > 0) {
    const entries = entriesFor(criteria, success_criteria);
    return success_criteria.map((criterion, at) => ({ criterion, checks: runsOf(entries[at] ?? []) }));
  }
  if (criteria.length > 0) return criteria.map((entry) => ({ criterion: null, checks: runsOf([entry]) }));
  const last = calls.findLast((call) => call.step?.kind !== "cmd" && isCheckCall(call) && call.result !== null);
  return [{ criterion: null, checks: last === undefined ? [] : [last] }];
}

/** The checks that a finish relies on and that hold, each once: what they are worth decides. */
export function checksOf(calls: readonly AgentCall[], finish: Finish, goal: Goal): AgentCall[] {
  const checks = new Set(wantedChecks(calls, finish, goal).flatMap((wanted) => wanted.checks));
  const proofs = new Set([...checks].map(({ index }) => index));
  return [...checks].filter((check) => faultOf(calls, check, proofs) === null);
}

/** The commands of the checks that finish names, each once. */
export const commandsNamed = (calls: readonly AgentCall[], { criteria }: Finish): string[] => [
  ...new Set(criteria.flatMap(({ evidence_check }) => commandOf(calls, evidence_check) ?? [])),
];

/** Those of them that prove nothing yet: orch runs them, except a check that is known to change something. */
export function checksToRun(calls: readonly AgentCall[], finish: Finish): string[] {
  const named = commandsNamed(calls, finish);
  const runs = named.map((command) => ({ command, run: lastRun(calls, command) }));
  const proofs = new Set(runs.flatMap(({ run }) => (run === undefined ? [] : [run.index])));
  const isNone = ({ step, effect }: AgentCall) => step?.kind === "check" && effect === "changes";
  const open = runs.filter(({ run }) => run === undefined || (!isNone(run) && faultOf(calls, run, proofs) !== null));
  return open.map(({ command }) => command);
}

const ANY_ANSWER = "it passes with any answer: call the tool with expect, and name that call";

/**
 * Why the check proves nothing: it did not exit with 0, or a later call may have changed what it saw. An unknown effect counts,
 * except that of another proof (D-136).
 */
function faultOf(calls: readonly AgentCall[], check: AgentCall, proofs: ReadonlySet<number>): string | null {
  const { result, state } = check;
  if (!isCheckCall(check))
    return check.step?.kind === "mcp_call" && check.effect === "reads"
      ? ANY_ANSWER
      : "it may change something, so it is no check";
  if (state !== "ended" || result?.status !== "passed" || result.exit_code !== 0)
    return `it exited with ${result?.exit_code ?? "no exit code"}`;
  const later = calls.slice(check.index + 1).filter(({ result: ended }) => ended !== null);
  const spoils = ({ index, effect }: AgentCall) => effect === "changes" || (effect === "unknown" && !proofs.has(index));
  return later.some(spoils) ? "something may have changed after it" : null;
}

/**
 * A check that was never seen to fail proves nothing, and neither does one that does not depend on the target. Looking needs no
 * change, so there the second is enough. Where a machine has no empty world, the outcome names the check instead.
 */
function isEnough(proof: CheckProof | undefined, { intent }: Goal): boolean {
  if (proof === undefined || proof.class === "proved" || proof.class === "not_possible") return true;
  return proof.class === "sensitive" && READ_ONLY_INTENTS.has(intent);
}

/** Why the finish does not count, for the model; null when it does. */
export async function objectionTo(
  judge: Judge,
  { calls, finish, goal, proofOf = NOT_EXAMINED }: Finishing,
): Promise<string | null> {
  const wanted = wantedChecks(calls, finish, goal);
  const proofs = new Set(wanted.flatMap(({ checks }) => checks.map(({ index }) => index)));
  const objections: string[] = [];
  for (const [position, { criterion, checks }] of wanted.entries()) {
    const faulty = checks.map((check) => ({ check, fault: faultOf(calls, check, proofs), proof: proofOf(check) }));
    const isNone = ({ fault, proof }: FaultyCheck) => fault !== null || !isEnough(proof, goal);
    if (faulty.length > 0 && !faulty.every(isNone)) continue;
    const name = criterion === null ? "the result" : `criterion ${position + 1} (${JSON.stringify(criterion)})`;
    const [first] = faulty;
    objections.push(`${name}: ${first === undefined ? NO_CHECK : await objectionToCheck(judge, first)}`);
  }
  const shown = wanted.flatMap(({ checks }) => checks.filter((check) => !wasTrueBefore(calls, check)));
  const [weak] = wanted.flatMap(({ checks }) => checks);
  if (objections.length === 0 && shown.length === 0 && weak !== undefined) {
    objections.push(
      `${named(weak)} does not count: ${TRUE_BEFORE}, so it does not show the goal; name a check that failed before it`,
    );
  }
  if (objections.length === 0)
    objections.push(...wanted.flatMap(({ checks }) => weaknessIn(checks, calls, goal) ?? []));
  return objections.length === 0
    ? null
    : `not finished. ${objections.join("; ")}. Go on, or call finish with done false`;
}

type Finishing = {
  readonly calls: readonly AgentCall[];
  readonly finish: Finish;
  readonly goal: Goal & Partial<Pick<TaskContract, "target" | "payload">>;
  readonly proofOf?: ProofOf;
};

type FaultyCheck = {
  readonly check: AgentCall;
  readonly fault: string | null;
  readonly proof: CheckProof | undefined;
};

const NO_CHECK = "no check that ran is named for it; name the command of one, or its number";

async function objectionToCheck(judge: Judge, { check, fault, proof }: FaultyCheck): Promise<string> {
  const text = checkCommand(check);
  const command = JSON.stringify(text ?? check.name);
  const why = fault ?? proof?.reason ?? "it has never been seen to fail";
  const [mend] = fault === null && text !== null ? await judge(mendsOf, text) : [];
  const instead = mend === undefined ? "" : `, such as ${JSON.stringify(mend.text)}`;
  const fix = fault === null ? `; name a check that would fail if the goal were not reached${instead}` : "";
  return `the check ${command} does not count: ${why}${fix}`;
}

/** The texts of the contract that name the goal. */
type GoalText = Pick<TaskContract, "success_criteria"> & Partial<Pick<TaskContract, "target" | "payload">>;

/**
 * Decides whether the check passed before the first change of the run. Such a check does not show what the run did. A check that also
 * failed before the change, as for a service that is still starting, does not count as one.
 */
function wasTrueBefore(calls: readonly AgentCall[], check: AgentCall): boolean {
  const first = calls.findIndex(({ effect, result }) => effect === "changes" && result !== null);
  if (first < 0 || first > check.index) return false;
  const before = calls.slice(0, first).filter((one) => one.result !== null && isSameCheck(one, check));
  return before.length > 0 && before.every(({ result }) => result?.status === "passed");
}

const TRUE_BEFORE = "it was true before your first change";

const OWN_MARKER = "it looks only at";
const IDLE_LINE = "not every line of it counts";

/** The verdict rejects a check for these only if the agent was informed before. Agents of earlier versions were not. */
const HELD_AGAINST = [TRUE_BEFORE, OWN_MARKER, IDLE_LINE];

const hasHeard = (calls: readonly AgentCall[], words: string): boolean =>
  calls.some(({ name, state, reason }) => name === FINISH && state === "faulty" && reason?.includes(words));

const isHeardWeak = (calls: readonly AgentCall[], check: AgentCall): boolean =>
  [OWN_MARKER, IDLE_LINE].some((words) => hasHeard(calls, `${named(check)} does not count: ${words}`));

const named = (check: AgentCall): string => `the check ${JSON.stringify(checkCommand(check) ?? check.name)}`;

const hasHeardOfTrueBefore = (calls: readonly AgentCall[]): boolean => hasHeard(calls, TRUE_BEFORE);

/**
 * Finds an agent's checks that pass without showing what it did. They passed before its first change, have a line that decides
 * nothing, or read only marker files or unchanged files. The verdict rejects such a check only if a refused `finish` informed the
 * agent before.
 */
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
function weaknessIn(checks: readonly AgentCall[], calls: readonly AgentCall[], goal: GoalText): string | null {
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

/** Examines the checks that the agent named and that no examination covers yet, and records the results (D-195). */
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
