// Runs the steps of a procedure on this machine, one after the other [1.A.6.local].
import type { Step, StepResult } from "../../domain/step.ts";
import { flowOutput, type RanStep, sentStep } from "../../domain/step-run.ts";
import type { Clock, ExecutionBackend } from "../../ports.ts";
import { createRedactor } from "../../redact/redact.ts";
import { NO_TOOL_SERVERS, type ToolCalls } from "./call-tool.ts";
import { createRunContexts, type LocalBackendOptions, type RunContext } from "./run-context.ts";
import { runStep } from "./run-step.ts";
import type { StepEnd } from "./step-end.ts";

export function createLocalBackend(options: LocalBackendOptions): ExecutionBackend {
  const { clock, redact = createRedactor([]), toolServers = NO_TOOL_SERVERS } = options;
  const contextOf = createRunContexts(options);
  return {
    name: "local",
    remote: false,
    run: async (request, observer, signal) => {
      const context = contextOf(request.task_contract);
      // Asked while earlier steps run, because the end of a step is durable only with the start of the next.
      const repeatable = request.steps.map((step) => mayRepeat(step, toolServers, signal));
      const ran: RanStep[] = [];
      for (const [offset, step] of request.steps.entries()) {
        const index = request.first_index + offset;
        const attempt = offset === 0 ? request.attempt : 1;
        const harmless = (await repeatable[offset]) === true;
        // An interrupted wait continues where it was; a command always starts again.
        const since = offset === 0 && step.kind === "wait" ? request.started_at : undefined;
        const traceparent = request.traceparentOf?.({ index, attempt });
        const shared = withTrace(withBefore(context, request.before?.get(index)), traceparent);
        const running = { task_id: request.task_contract.task_id, index, attempt };
        const until = step.kind === "wait" ? anyOf(signal, observer.leaving) : signal;
        const run = (allowed?: Promise<boolean>) => {
          const gated = { ...shared, repeatable: harmless, step: running, ...(allowed !== undefined && { allowed }) };
          return timed(clock, since, allowed, (waited_ms) => runStep(step, { ...gated, waited_ms }, until));
        };
        const started = async () =>
          !signal.aborted && (await observer.started(index, attempt, { repeatable: harmless }));
        const stepEnd = await (isShell(step) ? runAtGate(run, started) : runAfter(run, started));
        if (stepEnd === null) return flowOutput(ran, index);
        const { executed, ...end } = stepEnd;
        // It goes on after the stop, for the time that is left.
        if (step.kind === "wait" && end.status !== "passed" && observer.leaving?.aborted) return flowOutput(ran, index);
        const stdout = redact(end.stdout);
        const stderr = redact(end.stderr);
        const result: StepResult = { index, kind: step.kind, attempt, ...end, stdout, stderr };
        observer.finished(result);
        ran.push({ step: sentStep(step, request.task_contract), result, executed });
        if (result.status !== "passed") break;
      }
      return flowOutput(ran, null);
    },
  };
}

type Run<End> = (allowed?: Promise<boolean>) => Promise<End>;

/** Null when the start was refused. */
const runAfter = async <End>(run: Run<End>, started: () => Promise<boolean>): Promise<End | null> =>
  (await started()) ? run() : null;

/** The shell is made ready while the start becomes durable, and waits at its gate until it is (D-310). */
async function runAtGate<End>(run: Run<End>, started: () => Promise<boolean>): Promise<End | null> {
  const { promise: allowed, resolve: allow } = Promise.withResolvers<boolean>();
  const end = run(allowed);
  // What goes wrong with a step that has not started is not the step's.
  end.catch(() => undefined);
  let isStarted = false;
  try {
    isStarted = await started();
  } finally {
    allow(isStarted);
  }
  return isStarted ? end : null;
}

const isShell = ({ kind }: Step): boolean => kind === "cmd" || kind === "check";

const anyOf = (signal: AbortSignal, other: AbortSignal | undefined): AbortSignal =>
  other === undefined ? signal : AbortSignal.any([signal, other]);

/** What the check printed before the change. */
const withBefore = (context: RunContext, before: string | undefined): RunContext =>
  before === undefined ? context : { ...context, env: { ...context.env, ORCH_BEFORE: before } };

/** As programs that take part in traces read it. */
const withTrace = (context: RunContext, traceparent: string | undefined): RunContext =>
  traceparent === undefined ? context : { ...context, traceparent, env: { ...context.env, TRACEPARENT: traceparent } };

/** Whether the step's tool server says that repeating the call does no harm. */
const mayRepeat = async (step: Step, { mayRepeat: ask }: ToolCalls, signal: AbortSignal): Promise<boolean> =>
  step.kind === "mcp_call" && ask(step, signal);

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
  // A step whose shell waits at the gate begins when the gate opens.
  if (allowed !== undefined) {
    await allowed;
    begun = instantOf(clock);
  }
  const end = await ending;
  const duration_ms = Math.round(waited_ms + performance.now() - begun.monotonic_ms);
  return { ...end, started_at: since ?? begun.at.toISOString(), duration_ms };
}

const instantOf = (clock: Clock) => ({ at: clock(), monotonic_ms: performance.now() });
