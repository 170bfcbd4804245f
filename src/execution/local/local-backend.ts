// Runs the steps of a procedure on this machine, one after the other [1.A.6.local].
import { isPause, isPolled } from "../../domain/polling.ts";
import type { RunRequest } from "../../domain/run-request.ts";
import type { Step, StepResult } from "../../domain/step.ts";
import { flowOutput, isIdempotent, type RanStep, sentStep } from "../../domain/step-run.ts";
import type { Clock, ExecutionBackend, StepObserver } from "../../ports.ts";
import { createRedactor } from "../../redact/find-secrets.ts";
import { NO_TOOL_SERVERS, type StepEnd, type ToolCalls } from "./call-tool.ts";
import { createRunContexts, type LocalBackendOptions, type RunContext } from "./run-context.ts";
import { runStep } from "./run-step.ts";

export function createLocalBackend(options: LocalBackendOptions): ExecutionBackend {
  const { redact = createRedactor([]), toolServers = NO_TOOL_SERVERS } = options;
  const contextOf = createRunContexts(options);
  return {
    name: "local",
    remote: false,
    run: async (request, observer, signal) => {
      const { task_contract, steps } = request;
      const startOf = startsOf(options, { request, context: contextOf(task_contract), observer, signal });
      // Asked while earlier steps run, because the end of a step is durable only with the start of the next.
      const repeatable = steps.map((step) => mayRepeat(step, toolServers, signal));
      const ran: RanStep[] = [];
      for (const [offset, step] of steps.entries()) {
        const harmless = (await repeatable[offset]) === true;
        const { index, attempt } = placeOf(request, offset);
        const started = async () =>
          !signal.aborted && (await observer.started(index, attempt, { repeatable: harmless }));
        const stepEnd = await (isShell(step)
          ? launched(startOf(offset), started)
          : runAfter(started, () => startOf(offset)({ repeatable: harmless })));
        if (stepEnd === null) return flowOutput(ran, index);
        const { executed, ...end } = stepEnd;
        // A server that drains leaves it to the next one: a wait goes on, a polled check begins again.
        if (endsEarly(step) && end.status !== "passed" && observer.leaving?.aborted) return flowOutput(ran, index);
        const stdout = redact(end.stdout);
        const stderr = redact(end.stderr);
        const result: StepResult = { index, kind: step.kind, attempt, ...end, stdout, stderr };
        observer.finished(result);
        ran.push({ step: sentStep(step, task_contract), result, executed });
        if (result.status !== "passed") break;
      }
      return flowOutput(ran, null);
    },
  };
}

/** Null when the start was refused. */
const runAfter = async <End>(started: () => Promise<boolean>, run: () => Promise<End>): Promise<End | null> =>
  (await started()) ? run() : null;

type Run = {
  readonly request: RunRequest;
  readonly context: RunContext;
  readonly observer: StepObserver;
  readonly signal: AbortSignal;
};

const placeOf = ({ first_index, attempt }: RunRequest, offset: number) => ({
  index: first_index + offset,
  attempt: offset === 0 ? attempt : 1,
});

/** Starts the step with this offset. */
const startsOf =
  ({ clock }: Pick<LocalBackendOptions, "clock">, { request, context, observer, signal }: Run) =>
  (offset: number) =>
  ({ repeatable = false, allowed }: How): Promise<Timed> => {
    const step = request.steps[offset] as Step;
    const place = placeOf(request, offset);
    // An interrupted wait continues where it was; a command always starts again.
    const since = offset === 0 && isPause(step) ? request.started_at : undefined;
    const traced = withTrace(withBefore(context, request.before?.get(place.index)), request.traceparentOf?.(place));
    const running = {
      ...traced,
      ...(allowed !== undefined && { allowed }),
      repeatable,
      step: { task_id: request.task_contract.task_id, ...place },
    };
    const until = endsEarly(step) ? anyOf(signal, observer.leaving) : signal;
    return timed(clock, since, allowed, (waited_ms) => runStep(step, { ...running, waited_ms }, until));
  };

type How = { readonly repeatable?: boolean; readonly allowed?: Promise<boolean> };
type Timed = StepEnd & { readonly started_at: string; readonly duration_ms: number };

/** A polled check runs several commands, one after the other. */
const isShell = (step: Step): boolean => step.kind === "cmd" || (step.kind === "check" && !isPolled(step));

/** The launcher of the step is started while its start is made durable, and waits for that (D-310). Null when the start was refused. */
async function launched(start: (how: How) => Promise<Timed>, started: () => Promise<boolean>): Promise<Timed | null> {
  const { promise: allowed, resolve: allow } = Promise.withResolvers<boolean>();
  const end = start({ allowed });
  let isOver = false;
  const note = (): void => {
    isOver = true;
  };
  // What goes wrong with a step that has not begun is not the step's.
  end.then(note, note);
  let isStarted = false;
  try {
    isStarted = await started();
  } finally {
    allow(isStarted && !isOver);
  }
  if (!isStarted) return null;
  // What runs commands was lost meanwhile, and nothing of the step has run.
  return isOver ? start({}) : end;
}

const endsEarly = (step: Step): boolean => isPause(step) || isPolled(step);

const anyOf = (signal: AbortSignal, other: AbortSignal | undefined): AbortSignal =>
  other === undefined ? signal : AbortSignal.any([signal, other]);

/** What the check printed before the change. */
const withBefore = (context: RunContext, before: string | undefined): RunContext =>
  before === undefined ? context : { ...context, env: { ...context.env, ORCH_BEFORE: before } };

/** As programs that take part in traces read it. */
const withTrace = (context: RunContext, traceparent: string | undefined): RunContext =>
  traceparent === undefined ? context : { ...context, traceparent, env: { ...context.env, TRACEPARENT: traceparent } };

/** Whether the step, or its tool server, says that repeating it does no harm. */
const mayRepeat = async (step: Step, { mayRepeat: ask }: ToolCalls, signal: AbortSignal): Promise<boolean> =>
  isIdempotent(step) || (step.kind === "mcp_call" && ask(step, signal));

/** The duration is measured on a monotonic clock; the time since `since` is known from `clock` only. */
async function timed(
  clock: Clock,
  since: string | undefined,
  allowed: Promise<boolean> | undefined,
  run: (waited_ms: number) => Promise<StepEnd>,
) {
  const waited_ms = since === undefined ? 0 : Math.max(0, clock().getTime() - Date.parse(since));
  let begun = instantOf(clock);
  const ending = run(waited_ms);
  // It may reject before anything awaits it, and would end this process: the one that runs commands can be lost meanwhile.
  ending.catch(() => undefined);
  // A step whose launcher waits begins when it is allowed, unless the launcher is lost before.
  if (allowed !== undefined) {
    await Promise.race([allowed, ending]);
    begun = instantOf(clock);
  }
  const end = await ending;
  const duration_ms = Math.round(waited_ms + performance.now() - begun.monotonic_ms);
  return { ...end, started_at: since ?? begun.at.toISOString(), duration_ms };
}

const instantOf = (clock: Clock) => ({ at: clock(), monotonic_ms: performance.now() });
