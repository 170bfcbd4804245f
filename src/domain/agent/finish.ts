// Whether an agent that says it is done has proved it (design: agent life): for every success criterion a check that exited 0
// after the last change. Its word alone is none.
import type { Verdict } from "../verdict.ts";
import type { AgentCall } from "./agent-calls.ts";
import type { Finish } from "./agent-events.ts";
import type { AgentStep } from "./agent-step.ts";

type Named = Finish["criteria"][number];

/** `calls` are those of the whole run. */
export function judgeFinish(
  calls: readonly AgentCall[],
  { criteria }: Pick<Finish, "criteria">,
  success_criteria: readonly string[],
): Verdict {
  const changed = lastChange(calls);
  const proves = (call: AgentCall | undefined): boolean =>
    call !== undefined && hasPassed(call) && call.index > changed;
  const named = success_criteria.map((criterion, position) => {
    const entry = criteria.find((one) => isFor(one, criterion, position));
    return { criterion, check: entry === undefined ? undefined : checkOf(calls, entry.evidence_check, proves) };
  });
  const free = success_criteria.length > 0 ? [] : [{ criterion: null, check: calls.findLast(proves) }];
  const checks = [...named, ...free].flatMap(({ criterion, check }) =>
    check === undefined
      ? []
      : [{ step_index: check.index, criterion, passed: proves(check), exit_code: check.result?.exit_code ?? null }],
  );
  const passed = checks.length === named.length + free.length && checks.every((check) => check.passed);
  return {
    passed,
    reason_code: passed ? "verified" : "nothing_verified",
    step_index: null,
    checks,
    uncovered_criteria: named.filter(({ check }) => !proves(check)).map(({ criterion }) => criterion),
  };
}

/** The checks that finish names by their command and that prove nothing yet, each once: orch runs them for it. */
export function checksToRun(calls: readonly AgentCall[], { criteria }: Finish): string[] {
  const changed = lastChange(calls);
  const commands = criteria
    .map(({ evidence_check }) => evidence_check)
    .filter((check) => typeof check === "string")
    .filter((check) => numberIn(check) === null && check.trim() !== "");
  return [...new Set(commands)].filter(
    (command) => !calls.some((call) => isCheck(call, command) && hasPassed(call) && call.index > changed),
  );
}

/** What may have changed something, however it ended. */
const lastChange = (calls: readonly AgentCall[]): number =>
  calls.findLast(({ effect, result }) => effect === "changes" && result !== null)?.index ?? -1;

const hasPassed = ({ step, effect, state, result }: AgentCall): boolean =>
  isProof(step) && effect === "reads" && state === "ended" && result?.status === "passed" && result.exit_code === 0;

/** A tool of a skill proves something where it says of itself that it checks. */
const isProof = (step: AgentStep | null): boolean =>
  step?.kind === "check" || (step?.kind === "skill_tool" && step.checks === true);

const isCheck = ({ step }: AgentCall, command: string): boolean => step?.kind === "check" && step.value === command;

const folded = (text: string): string => text.trim().replace(/\s+/g, " ").toLowerCase();

function isFor({ criterion: given }: Named, criterion: string, position: number): boolean {
  const number = typeof given === "number" ? given : numberIn(given);
  return number === null || String(given).trim() === criterion
    ? folded(String(given)) === folded(criterion)
    : number === position + 1;
}

/** By its command the one that proves something, or else the last; by its number that one. */
function checkOf(
  calls: readonly AgentCall[],
  named: Named["evidence_check"],
  proves: (call: AgentCall) => boolean,
): AgentCall | undefined {
  const number = typeof named === "number" ? named : numberIn(named);
  if (number !== null) return calls.find(({ index }) => index === number);
  const all = calls.filter((call) => isCheck(call, String(named)));
  return all.findLast(proves) ?? all.at(-1);
}

function numberIn(text: string): number | null {
  const digits = /^\s*(?:#|call|check|step|number)?\s*(\d{1,6})\s*$/i.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}
