// Derives what every backend needs from a step and its task: what is sent (D-185), the time limit, the environment, the one-line texts
// of the step and of its output, the report on a run [2.flow_output.ok], and when a check that has `within` runs again. Loads no schema,
// because the flow's script carries no library.
import type { AgentStep } from "./agent-events.ts";
import { TRIES_SHOWN } from "./duration.ts";
import type { Json } from "./json.ts";
import { canonicalJson } from "./json-values.ts";
import type { BeforeLook } from "./proof.ts";
import { type ParameterSource, resolveArguments } from "./resolve-arguments.ts";
import type { FlowOutput } from "./run-request.ts";
import type { LeftProcesses, Step, StepResult } from "./step.ts";

/** The limit of a reconcile command. */
export const RECONCILE_MS = 60_000;

export const maxMs = ({ constraints }: { readonly constraints: { readonly max_minutes: number } }): number =>
  constraints.max_minutes * 60_000;

type Given = {
  readonly task_id: string;
  readonly target: Readonly<Record<string, string>>;
  readonly payload: object;
};

/**
 * Passes the task to a shell step: `ORCH_TARGET_<KEY>` for each target attribute, `ORCH_PAYLOAD` (canonical JSON) and
 * `ORCH_TASK_ID`. orch never inserts them into the text of a command.
 */
export const stepEnvironment = ({ task_id, target, payload }: Given): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(target).map(([key, value]) => [`ORCH_TARGET_${key.toUpperCase()}`, value])),
  ORCH_PAYLOAD: canonicalJson(payload),
  ORCH_TASK_ID: task_id,
});

const WRITE = "write:";

/** Where an agent's commands may write besides `compose_dir` (D-248). */
export const writableIn = ({ constraints }: { readonly constraints: { readonly implicit_scope: readonly string[] } }) =>
  constraints.implicit_scope.filter((entry) => entry.startsWith(`${WRITE}/`)).map((entry) => entry.slice(WRITE.length));

/** Whether git may run what a repository configures where an agent could write (D-254). */
export const allowsGit = ({ constraints }: { readonly constraints: { readonly implicit_scope: readonly string[] } }) =>
  constraints.implicit_scope.includes("git:config");

/** The step with its parameters resolved, in the arguments and in what it expects. Other steps are sent as they are. */
export function sentStep<S extends AgentStep>(step: S, source: ParameterSource): S {
  if (step.kind !== "mcp_call") return step;
  const sent = { ...step, arguments: resolveArguments(step.arguments, source) };
  if (step.expect === undefined) return sent;
  const { equals, contains } = step.expect;
  const filled = resolveArguments(
    { ...(equals !== undefined && { equals }), ...(contains !== undefined && { contains }) },
    source,
  );
  return { ...sent, expect: { ...step.expect, ...filled, ...textOf(filled["contains"]) } };
}

/** A parameter of `contains` can be any value; what is looked for is its text. */
const textOf = (value: Json | undefined): { contains?: string } =>
  value === undefined ? {} : { contains: typeof value === "string" ? value : canonicalJson(value) };

/**
 * The variables of the contract that a shell step is given. Its text does not show which of them it reads: every program that
 * it starts inherits all of them.
 */
export const environmentOf = (step: AgentStep, contract: Given): Record<string, string> =>
  step.kind === "cmd" || step.kind === "check" || (step.kind === "mcp_call" && step.reconcile !== undefined)
    ? stepEnvironment(contract)
    : {};

/** Whether a check compares with what it printed before the change. Any mention counts: the text of another program may read it too. */
export const readsBefore = (text: string): boolean => text.includes("ORCH_BEFORE");

type Printed = ReadonlyMap<number, Pick<BeforeLook, "printed">>;

/** ORCH_BEFORE of the runs after the change. Any other check could ask whether it is set, which says nothing of the target. */
export const printedBefore = (before: Printed | null, steps: readonly Step[]): Map<number, string> =>
  new Map(
    [...(before ?? [])].flatMap(([index, { printed }]) => {
      const step = steps[index];
      return printed !== null && step?.kind === "check" && readsBefore(step.value) ? [[index, printed]] : [];
    }),
  );

/** The `value` of the step, or its tool with the arguments as canonical JSON. */
export function commandText(step: AgentStep): string {
  if (step.kind === "mcp_call") {
    const expected = step.expect === undefined ? "" : ` expect ${canonicalJson(step.expect)}`;
    return `${step.server}.${step.tool} ${canonicalJson(step.arguments)}${expected}`;
  }
  return step.kind === "skill_tool" ? `${step.skill}.${step.tool} ${canonicalJson(step.arguments)}` : step.value;
}

/** What a step left running, as a sentence. */
export function leftText({ ended, running, names }: LeftProcesses): string {
  const which = `: ${names.join(", ")}`;
  if (running === 0) return `${were(ended)} still running and ${ended === 1 ? "was" : "were"} ended${which}`;
  const left = `${running} ${running === 1 ? "process" : "processes"} left the step and still ${running === 1 ? "runs" : "run"}`;
  return ended === 0 ? `${left}${which}` : `${were(ended)} ended, and ${left}${which}`;
}

const were = (count: number): string => (count === 1 ? "1 process was" : `${count} processes were`);

const MAX_LINE = 200;

/** The last line of stderr when the step failed, else of stdout. The other stream counts when the first is empty. */
export function lastWords({ status, stdout, stderr }: StepResult): string {
  const [first, second] = status === "passed" ? [stdout, stderr] : [stderr, stdout];
  return lastLine(first) || lastLine(second);
}

export function lastLine(text: string): string {
  const trimmed = text.trimEnd();
  const line = trimmed.slice(trimmed.lastIndexOf("\n") + 1);
  return line.slice(0, MAX_LINE).toWellFormed();
}

export type RanStep = { readonly step: Step; readonly result: StepResult; readonly executed: boolean };

/** `stopped_before` is the index of the step that did not start because the run was stopped, null if it was not stopped. */
export function flowOutput(ran: readonly RanStep[], stopped_before: number | null): FlowOutput {
  const step_results = ran.map(({ result }) => result);
  const broken = step_results.find(({ status }) => status !== "passed");
  return {
    ok: broken === undefined && stopped_before === null,
    summary: broken === undefined ? ending(step_results.length, stopped_before) : failure(broken),
    step_results,
    evidence: {
      executed_commands: ran.flatMap(({ step, executed }) => (executed ? commandOf(step) : [])),
      key_outputs: step_results.map(lastWords).filter((line) => line !== ""),
    },
  };
}

function ending(passed: number, stopped_before: number | null): string {
  const done = `${passed} ${passed === 1 ? "step" : "steps"} passed`;
  return stopped_before === null ? done : `stopped before step ${stopped_before}; ${done}`;
}

function failure({ index, kind, status, timed_out, exit_code }: StepResult): string {
  if (status === "outcome_unknown") return `step ${index} (${kind}) got no response, and may have taken effect`;
  const how = timed_out
    ? "reached its time limit"
    : exit_code === null
      ? "was ended"
      : `failed with exit code ${exit_code}`;
  return `step ${index} (${kind}) ${how}`;
}

function commandOf(step: Step): readonly string[] {
  if (isPause(step)) return [];
  return [commandText(step)];
}

/** Whether the step says that running it again has no further effect. */
export const isIdempotent = (step: Step | undefined): boolean =>
  (step?.kind === "cmd" || step?.kind === "mcp_call") && step.idempotent === true;

/** For people: null where the step says no such thing. */
export const repeatText = (step: Step): string | null =>
  isIdempotent(step) ? "idempotent: orch may run it again when its answer is lost" : null;

/** An exit code that says "no". Below 1 it is "yes"; 126, 127 and signals say that the check could not run. */
export const isRed = (exit_code: number): boolean =>
  exit_code >= 1 && exit_code !== 126 && exit_code !== 127 && !(exit_code > 128 && exit_code <= 192);

/** Only a task gives them: a procedure that no task runs yet has its target, and none of these. */
export const TASK_VARIABLES = ["ORCH_PAYLOAD", "ORCH_TASK_ID"] as const;

/** Any mention counts: the text of another program may read it too. */
export const readsTask = (text: string): boolean => TASK_VARIABLES.some((name) => text.includes(name));

// Polls a check that has `within`: when it runs again, which of its tries are recorded, and how this reads; and says which steps only let
// time pass. Without a schema, because the flow script carries no library.

/** The kinds of steps that run nothing: they let time pass. */
const PAUSES = ["wait"] as const;
type PauseKind = (typeof PAUSES)[number];

export const pauses = (kind: string): boolean => PAUSES.some((pause) => pause === kind);

export const isPause = <S extends { readonly kind: string }>(step: S): step is Extract<S, { kind: PauseKind }> =>
  pauses(step.kind);

export type CheckTries = NonNullable<StepResult["tries"]>;
type CheckTry = CheckTries["first"][number];
type PolledCheck = Extract<Step, { kind: "check" }> & { readonly within: string };

export const isPolled = (step: AgentStep | undefined): step is PolledCheck =>
  step?.kind === "check" && step.within !== undefined;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
/** What the last try has at least, unless the whole time is shorter. */
const LAST_TRY_MS = 1_000;

/** How long to wait after the try with this number; null where no time is left for another one. */
export function pauseAfter(nth: number, left_ms: number): number | null {
  const longest = left_ms - LAST_TRY_MS;
  return longest <= 0 ? null : Math.min(FIRST_PAUSE_MS * 2 ** Math.min(nth - 1, 10), LONGEST_PAUSE_MS, longest);
}

/** Adds a try. Of many tries the first and the last ones stay. */
export function withTry({ first, last }: Pick<CheckTries, "first" | "last">, made: CheckTry): CheckTries {
  const count = made.nth;
  if (first.length < TRIES_SHOWN) return { count, first: [...first, made], last: [] };
  return { count, first: [...first], last: [...last, made].slice(-TRIES_SHOWN) };
}

const UNITS = { ms: "ms", s: "s", m: "min", h: "h" } as const;

/** `polled for up to 60 s`; undefined for every other step. */
export function pollingText(step: AgentStep): string | undefined {
  if (!isPolled(step)) return undefined;
  const [, number = "", unit = ""] = /^([\d.]+)(\w+)$/.exec(step.within) ?? [];
  return `polled for up to ${number} ${UNITS[unit as keyof typeof UNITS] ?? unit}`;
}

/** `13 tries`; empty for a step that is not polled. */
export const triesText = ({ tries }: Pick<StepResult, "tries">): string =>
  tries === undefined ? "" : `${tries.count} ${tries.count === 1 ? "try" : "tries"}`;
