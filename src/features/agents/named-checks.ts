// Finds the calls that `finish` names as checks. A model may name a check by its command, by the number of its call, or by a
// skill's tool, and a criterion by its wording, its number or its position: an honest slip must not fail good work.
import type { AgentCall, Finish } from "../../domain/agent-events.ts";
import { canonicalJson } from "../../domain/json-values.ts";

export type NamedCheck = Finish["criteria"][number];

/** A tool of a skill is a check when it declares itself one, and one of a server when it only reads and the call says what it expects. A command that only looks is one, also without the flag. */
export const isCheckCall = ({ step, effect }: AgentCall): boolean =>
  effect !== "changes" &&
  (step?.kind === "check" ||
    (step?.kind === "cmd" && effect === "reads") ||
    (step?.kind === "mcp_call" && step.expect !== undefined && effect === "reads") ||
    (step?.kind === "skill_tool" && step.checks));

/** A command without the flag counts only where finish names its text: the number of any call that looks is no claim. */
const isMadeAsCheck = (call: AgentCall): boolean => call.step?.kind !== "cmd" && isCheckCall(call);

/** The command of a call that may be a check. */
export const checkCommand = ({ step }: Pick<AgentCall, "step">): string | null =>
  step?.kind === "check" || step?.kind === "cmd" ? step.value : null;

/** Null when `named` is the number of a call without a command, or the name of a tool. */
export function commandOf(calls: readonly AgentCall[], named: NamedCheck["evidence_check"]): string | null {
  const number = numberOf(named);
  if (number === null) return calls.some(({ name }) => name === named) ? null : unquoted(String(named)) || null;
  const call = calls[number];
  return call === undefined || !isMadeAsCheck(call) ? null : checkCommand(call);
}

/** Models write commands as their texts do: in backticks, or as a block of code. */
function unquoted(text: string): string {
  const trimmed = text.trim();
  const [, code, block] = /^(?:`([^`]+)`|```(?:bash|sh|shell)?\n([^`]+)```)$/.exec(trimmed) ?? [];
  return (code ?? block ?? trimmed).trim();
}

/** The last run of the named check, or of the named command where it is no check. */
export function lastRun(calls: readonly AgentCall[], named: NamedCheck["evidence_check"]): AgentCall | undefined {
  const command = commandOf(calls, named);
  const number = numberOf(named);
  const call = number === null ? calls.findLast(({ name }) => name === named) : calls[number];
  const isSame = (one: AgentCall): boolean => {
    if (command !== null) return checkCommand(one)?.trim() === command.trim();
    return (
      one.step !== null && checkCommand(one) === null && canonicalJson(one.step) === canonicalJson(call?.step ?? null)
    );
  };
  return calls.findLast((one) => one.result !== null && isSame(one));
}

/** Another run of the same check. */
export function isSameCheck(one: AgentCall, other: AgentCall): boolean {
  const command = checkCommand(other);
  if (command !== null) return checkCommand(one)?.trim() === command.trim();
  return one.step !== null && canonicalJson(one.step) === canonicalJson(other.step ?? null);
}

const folded = (text: string): string => text.trim().replace(/\s+/g, " ").toLowerCase();

/** The entries of each criterion: by its wording, else by its number, else the entries that match none, in order. */
export function entriesFor(named: readonly NamedCheck[], criteria: readonly string[]): NamedCheck[][] {
  const matching = criteria.map((criterion, position) => {
    const by_wording = named.filter((one) => folded(String(one.criterion)) === folded(criterion));
    const isNumber = ({ criterion: given }: NamedCheck) =>
      numberOf(given) === position + 1 && !criteria.includes(String(given));
    return by_wording.length > 0 ? by_wording : named.filter(isNumber);
  });
  const matched = new Set(matching.flat());
  const rest = named.filter((one) => !matched.has(one) && numberOf(one.criterion) === null);
  const open = matching.filter((entries) => entries.length === 0).length;
  if (rest.length !== open) return matching;
  return matching.map((entries) => (entries.length > 0 ? entries : rest.splice(0, 1)));
}

function numberOf(given: string | number): number | null {
  if (typeof given === "number") return given;
  const digits = /^\s*(?:#|call|check|step|number|criterion)?[\s#:_-]*(\d{1,6})\s*$/i.exec(given)?.[1];
  return digits === undefined ? null : Number(digits);
}
