// What has to hold of one trial of a skill, and what to do where it does not.
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../domain/json.ts";
import { verifyBundle } from "../evidence/verify/bundle.ts";
import { MAX_CALLS } from "../skills/skill-step-run.ts";
import type { SkillCase, SkillTest } from "./skill-test.ts";
import type { Trial } from "./trial.ts";

/** What does not hold: `expected` and `found` are short texts. */
export type Failing = { readonly expected: string; readonly found: string; readonly fix: string };

const shown = (texts: readonly string[]): string =>
  texts.length === 0 ? "no change" : texts.map((text) => JSON.stringify(text)).join(", ");
const isSame = (a: readonly string[], b: readonly string[]): boolean => shown(a.toSorted()) === shown(b.toSorted());
const codeOf = ({ skill_code, reason_code }: Trial): string => skill_code ?? reason_code;
const endText = (trial: Trial): string => `${trial.status} ${codeOf(trial)}: ${trial.message}`;

function changesFault(expected: readonly string[], { changes }: Trial, fix: string): Failing | null {
  if (isSame(expected, changes)) return null;
  return { expected: shown(expected), found: shown(changes), fix };
}

export function endFault(test: SkillTest, trial: Trial): Failing | null {
  if (trial.status !== "ok" || codeOf(trial) !== test.code)
    return { expected: `ok ${test.code}`, found: endText(trial), fix: fixOf(trial) };
  const { faults } = verifyBundle(JSON.parse(JSON.stringify(trial.evidence)));
  if (faults.length > 0)
    return { expected: "evidence that holds together", found: JSON.stringify(faults), fix: "This is a fault of orch." };
  return (
    changesFault(test.changes, trial, "Correct the handler, or `changes` in test.ts.") ??
    resultFault(test.result, trial, "Correct the handler, or `result` in test.ts.")
  );
}

function resultFault(expected: Json | undefined, { result }: Trial, fix: string): Failing | null {
  if (expected === undefined || isDeepStrictEqual(expected, result)) return null;
  return { expected: JSON.stringify(expected), found: JSON.stringify(result), fix };
}

const fixOf = ({ status, reason_code, skill_code }: Trial): string =>
  skill_code === "handler_fault"
    ? "Correct the handler: it threw, as a ctx.step whose work throws does, or what it returned is no SkillEnd."
    : status === "need_input"
      ? THIRD_ARGUMENT
      : reason_code === "outside_scope"
        ? "Imitate the server that it calls in `open`, or name it in `task.implicit_scope`."
        : "Correct the handler, or `task` and `code` in test.ts.";

const THIRD_ARGUMENT =
  'Give ctx.step a third argument: a function that finds out what the step did, or "repeat" if it only reads. Where nothing can find it out, name the step in `asks_about` of test.ts.';

export function askFault({ asks }: SkillTest, { has_asked }: Trial): Failing | null {
  if (asks === has_asked) return null;
  const fix = asks
    ? "Call requestApproval and waitForApproval before the first change, or set `asks: false`."
    : "Set `asks: true` in test.ts.";
  return { ...askedTexts(asks, has_asked), fix };
}

function askedTexts(asks: boolean, has_asked: boolean) {
  const text = (is: boolean) => (is ? "an approval" : "no approval");
  return { expected: text(asks), found: text(has_asked) };
}

/** The evidence has the calls of every other step, up to a limit. */
export function repeatFault({ evidence: { skill_steps }, calls }: Trial): Failing | null {
  if (skill_steps.some((step) => step.calls.length >= MAX_CALLS)) return null;
  const recorded = skill_steps.flatMap((step) => step.calls);
  const call = calls.find(
    ({ tool, is_declared }) => is_declared && !recorded.some((text) => text.startsWith(`${tool} `)),
  );
  if (call === undefined) return null;
  const steps = skill_steps.filter((step) => step.repeatable).map(({ name }) => name);
  return {
    expected: 'no change in a step with "repeat", which is for steps that only read',
    found: `${call.tool}, whose effect is "changes" in test.ts, is called in ${steps.length > 1 ? "one of the steps" : "the step"} ${shown(steps)}`,
    fix: 'Give the step a function that finds out what happened in place of "repeat", or correct `effect` in test.ts.',
  };
}

export function rejectedFault(trial: Trial): Failing | null {
  if (trial.status !== "blocked" || trial.reason_code !== "approval_rejected")
    return {
      expected: "blocked approval_rejected",
      found: endText(trial),
      fix: trial.has_asked
        ? 'Return notApproved(decided) when decided.status is not "approved".'
        : "It ends before it asks: correct that first, or set `asks: false`.",
    };
  return changesFault(
    [],
    trial,
    "Change nothing before the approval: put every change into a ctx.step after waitForApproval.",
  );
}

export function outsideFault(trial: Trial): Failing | null {
  if (trial.status !== "blocked" || trial.reason_code !== "outside_scope")
    return { expected: "blocked outside_scope", found: endText(trial), fix: "Reach servers through ctx.call only." };
  return changesFault([], trial, "Read from the servers before the first change, so that nothing is half done.");
}

export function wrongFault(field: string, trial: Trial): Failing | null {
  const fix = 'Check the payload before anything else, and return { status: "blocked", code, message } with the field.';
  if (trial.status !== "blocked" || trial.reason_code !== "skill_blocked" || !trial.message.includes(field))
    return { expected: `blocked, with a message that names ${field}`, found: endText(trial), fix };
  return changesFault([], trial, fix);
}

type End = Pick<SkillCase, "status" | "code" | "changes" | "asks" | "result">;

export function caseFault({ status, code, changes, asks, result }: End, trial: Trial): Failing | null {
  const fix = "Correct the handler, or the case in test.ts.";
  if (trial.status !== status || ![trial.skill_code, trial.reason_code].includes(code))
    return { expected: `${status} ${code}`, found: endText(trial), fix };
  if (asks !== undefined && asks !== trial.has_asked) return { ...askedTexts(asks, trial.has_asked), fix };
  return changesFault(changes, trial, fix) ?? resultFault(result, trial, fix);
}

export function stoppedFault({ code, changes, asks_about = [] }: SkillTest, trial: Trial): Failing | null {
  if (trial.status === "need_input" && asks_about.includes(trial.unknown_step ?? ""))
    return tooMuchFault(changes, trial);
  const fix =
    trial.status === "need_input"
      ? THIRD_ARGUMENT
      : "Put what must happen once into a ctx.step; the function in its third argument finds out whether it was done, does it where it was not, and does not do it again.";
  if (trial.status !== "ok" || codeOf(trial) !== code) return { expected: `ok ${code}`, found: endText(trial), fix };
  return changesFault(changes, trial, fix);
}

/** Of a task that waits for an answer, a part of its changes may be missing. */
function tooMuchFault(changes: readonly string[], trial: Trial): Failing | null {
  const left = [...changes];
  const more = trial.changes.filter((change) => {
    const at = left.indexOf(change);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const fix = "Put what must happen once into a ctx.step of its own.";
  return more.length === 0 ? null : { expected: `nothing besides ${shown(changes)}`, found: shown(more), fix };
}

export function cancelledFault(trial: Trial): Failing | null {
  const { status, changes, later } = trial;
  if (status !== "cancelled" && status !== "ok")
    return { expected: "cancelled, or ok", found: endText(trial), fix: "Let the handler end; orch ends the task." };
  const twice = changes.filter((change, at) => changes.indexOf(change) !== at);
  if (twice.length > 0)
    return { expected: "no change twice", found: shown(twice), fix: "Put each change into a step of its own." };
  if (later.length > 0)
    return {
      expected: "no change after the end",
      found: shown(later),
      fix: "Await everything, and end a loop when ctx.signal is aborted.",
    };
  return null;
}
