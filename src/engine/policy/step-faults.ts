// Refuses taught steps whose text does not do in bash what it seems to do: a check that cannot fail or has a line that decides nothing,
// a pipeline that may fail by chance, and a carriage return that becomes part of a word.
import type { FieldIssue } from "../../domain/errors.ts";
import { reconcileOf, type Step } from "../../domain/step.ts";
import { isPlanWorkOver } from "../../guard/guard.ts";
import { constantExit, mendsOf, readPipes, referenceFault, wordingFault } from "../../proof/proof.ts";

type Env = Readonly<Record<string, string>>;

/** Empty where nothing is against the step. In a plan whose time is over no check is judged any more, and none is taught. */
export function stepFaults(step: Step, index: number, env: Env): FieldIssue[] {
  const issue = (path: string, message: string | null): FieldIssue[] => (message === null ? [] : [{ path, message }]);
  const path = `steps.${index}`;
  const reconcile = reconcileOf(step);
  const asked = reconcile === undefined ? null : (meaningFault(reconcile) ?? carriageReturn(reconcile));
  const shell = step.kind === "check" || step.kind === "cmd" ? referenceFault(step.value) : null;
  const own = [
    ...issue(path, shell === null ? null : `step ${index}: ${shell}`),
    ...(step.kind === "check" ? issue(path, checkFault(step.value, index, env)) : []),
    ...(step.kind === "cmd" ? issue(path, commandFault(step, index)) : []),
  ];
  return [
    ...own,
    ...(asked === null ? [] : issue(`${path}.reconcile`, `the reconcile command of step ${index}: ${asked}`)),
  ];
}

function checkFault(text: string, index: number, env: Env): string | null {
  if (isPlanWorkOver()) return `the steps before step ${index} take too long to judge; use fewer or shorter steps`;
  const constant = constantExit(text, env);
  if (constant !== null) {
    const cannot = constant.exit_code === 0 ? "fail" : "pass";
    const [mend] = mendsOf(text);
    const fix = mend ? `instead: ${mend.text}` : "use a command that exits with 0 only where the criterion holds";
    return `check step ${index} cannot ${cannot}: ${constant.why}; ${fix}`;
  }
  const fault = meaningFault(text) ?? carriageReturn(text);
  return fault === null ? null : `check step ${index}: ${fault}`;
}

/** Of a text whose exit code is the answer. */
const meaningFault = (text: string): string | null =>
  wordingFault(text) ?? readPipes(text, { strict: false }).faults[0] ?? null;

function commandFault(step: Extract<Step, { kind: "cmd" }>, index: number): string | null {
  const { value, preview = "" } = step;
  const fault = readPipes(value, { strict: true }).faults[0] ?? carriageReturn(value) ?? carriageReturn(preview);
  return fault === null ? null : `step ${index}: ${fault}`;
}

function carriageReturn(text: string): string | null {
  const at = text.indexOf("\r");
  if (at < 0) return null;
  const line = text.slice(0, at).split("\n").length;
  return `line ${line} has a carriage return (U+000D); write $'\\r' where it is meant`;
}
