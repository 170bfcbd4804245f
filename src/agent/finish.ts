// Decides whether an agent has proved its result: for every success criterion, the last run of a check exited with 0,
// after the last change. The agent's statement alone proves nothing [1.A.5.verification] (D-135).
import type { AgentCall, Finish } from "../domain/agent-events.ts";
import { canonicalJson } from "../domain/json-values.ts";
import type { Verdict } from "../domain/verdict.ts";

type Named = Finish["criteria"][number];

/** `calls` are all calls of the run. */
export function judgeFinish(calls: readonly AgentCall[], finish: Finish, success_criteria: readonly string[]): Verdict {
  const { criteria, done } = finish;
  const wanted =
    success_criteria.length > 0
      ? success_criteria.map((criterion, position) => {
          const entry = entryFor(criteria, success_criteria, criterion, position);
          return { criterion, check: entry && lastRun(calls, entry.evidence_check) };
        })
      : withoutCriteria(calls, criteria);
  const proofs = new Set(wanted.flatMap(({ check }) => (check === undefined ? [] : [check.index])));
  const proves = (check: AgentCall | undefined): boolean =>
    done && check !== undefined && isProof(calls, check, proofs);
  const passed = wanted.every(({ check }) => proves(check));
  return {
    passed,
    reason_code: passed ? "verified" : "nothing_verified",
    step_index: null,
    checks: wanted.flatMap(({ criterion, check }) =>
      check === undefined
        ? []
        : [{ step_index: check.index, criterion, passed: proves(check), exit_code: check.result?.exit_code ?? null }],
    ),
    uncovered_criteria: wanted.flatMap(({ criterion, check }) =>
      criterion === null || proves(check) ? [] : [criterion],
    ),
  };
}

type Wanted = { readonly criterion: string | null; readonly check: AgentCall | undefined };

/** The checks that finish names, or else the one that ran last. */
const withoutCriteria = (calls: readonly AgentCall[], criteria: readonly Named[]): Wanted[] =>
  criteria.length > 0
    ? criteria.map(({ evidence_check }) => ({ criterion: null, check: lastRun(calls, evidence_check) }))
    : [{ criterion: null, check: calls.findLast((call) => isCheck(call) && call.result !== null) }];

/** The commands of the checks that finish names, each once. */
export const commandsNamed = (calls: readonly AgentCall[], { criteria }: Finish): string[] => [
  ...new Set(criteria.flatMap(({ evidence_check }) => commandOf(calls, evidence_check) ?? [])),
];

/** Those of them that prove nothing yet: orch runs them. */
export function checksToRun(calls: readonly AgentCall[], finish: Finish): string[] {
  const named = commandsNamed(calls, finish);
  const runs = named.map((command) => ({ command, run: lastRun(calls, command) }));
  const proofs = new Set(runs.flatMap(({ run }) => (run === undefined ? [] : [run.index])));
  const open = runs.filter(({ run }) => run === undefined || !isProof(calls, run, proofs));
  return open.map(({ command }) => command);
}

/** No later call may have changed what the check saw. An unknown effect counts, except that of another proof (D-136). */
function isProof(calls: readonly AgentCall[], check: AgentCall, proofs: ReadonlySet<number>): boolean {
  const later = calls.slice(check.index + 1).filter(({ result }) => result !== null);
  const spoils = ({ index, effect }: AgentCall) => effect === "changes" || (effect === "unknown" && !proofs.has(index));
  return hasPassed(check) && !later.some(spoils);
}

const hasPassed = (call: AgentCall): boolean =>
  isCheck(call) && call.state === "ended" && call.result?.status === "passed" && call.result.exit_code === 0;

/** A tool of a skill is a check when it declares itself one. A call that changes something is never a check. */
const isCheck = ({ step, effect }: AgentCall): boolean =>
  effect !== "changes" && (step?.kind === "check" || (step?.kind === "skill_tool" && step.checks));

/** Null when `named` is the number of a call that is not a check, or the name of a tool. */
function commandOf(calls: readonly AgentCall[], named: Named["evidence_check"]): string | null {
  const number = numberOf(named);
  if (number === null) return calls.some(({ name }) => name === named) ? null : String(named).trim() || null;
  const step = calls[number]?.step;
  return step?.kind === "check" ? step.value : null;
}

/** The last run of the named check. The name is a command, the number of a call, or the name of a skill's tool. */
function lastRun(calls: readonly AgentCall[], named: Named["evidence_check"]): AgentCall | undefined {
  const command = commandOf(calls, named);
  const number = numberOf(named);
  const call = number === null ? calls.findLast(({ name }) => name === named) : calls[number];
  const isSame = ({ step }: AgentCall): boolean => {
    if (command !== null) return step?.kind === "check" && step.value === command;
    return step?.kind === "skill_tool" && canonicalJson(step) === canonicalJson(call?.step ?? null);
  };
  return calls.findLast((one) => one.result !== null && isSame(one));
}

const folded = (text: string): string => text.trim().replace(/\s+/g, " ").toLowerCase();

/** Finds the entry by the criterion's wording, else by its number, unless that is the wording of another criterion. */
function entryFor(
  criteria: readonly Named[],
  all: readonly string[],
  criterion: string,
  position: number,
): Named | undefined {
  const isNumber = ({ criterion: given }: Named) => numberOf(given) === position + 1 && !all.includes(String(given));
  return criteria.find((one) => folded(String(one.criterion)) === folded(criterion)) ?? criteria.find(isNumber);
}

function numberOf(given: string | number): number | null {
  if (typeof given === "number") return given;
  const digits = /^\s*(?:#|call|check|step|number)?\s*(\d{1,6})\s*$/i.exec(given)?.[1];
  return digits === undefined ? null : Number(digits);
}
