// Waits for the end of a submitted job, and reads its log while it grows. Failed requests do not end the wait: the job continues without them,
// and a second job would run the steps twice. The wait ends when the engine reports the end, or does not respond for a long time.
import type { StepResult } from "../../domain/step.ts";
import { ABANDONED } from "../../ports.ts";
import type { Redact } from "../../redact/find-secrets.ts";
import { type Completion, describeFailure, type EngineApi, type EngineReply } from "./engine-api.ts";
import { heldUp, type JobMeans, longer, pause, type Timing } from "./wait-watch.ts";

export type Followed =
  | { readonly is: "completed"; readonly completion: Ended; readonly text: string }
  | { readonly is: "too_large"; readonly message: string }
  /** The server stops. The job continues, and the next server process finds it. */
  | { readonly is: "suspended" }
  | { readonly is: "lost"; readonly message: string };

type Ended = Extract<Completion, { completed: true }>;

/** `certain`: the engine has confirmed that it accepted the job. An abort of the signal cancels the job. */
export async function followJob(
  { api, timing, log, redact, wait, leaving }: JobMeans & { readonly log: JobLog },
  { job_id, certain }: { readonly job_id: string; readonly certain: boolean },
  signal: AbortSignal,
): Promise<Followed> {
  const lossDetector = createLossDetector(timing, certain);
  const cancellation = createCancellation(api, timing, job_id);
  const never = new AbortController().signal;
  for (let wait_ms = timing.poll_ms; ; wait_ms = signal.aborted ? timing.poll_ms : longer(wait_ms, timing)) {
    const isCancelled = signal.aborted && signal.reason !== ABANDONED;
    if (isCancelled) await cancellation.ask();
    if (leaving()) return { is: "suspended" };
    const reply = await api.completion(job_id);
    const view = await api.view(job_id);
    await log.read(moduleIn(view));
    await wait.saw(heldUp(reply, view, redact));
    if (reply.is === "too_large" && !(view.is === "ok" && view.value.type === "QueuedJob")) return reply;
    if (reply.is === "ok" && reply.value.completed) {
      const whole = await wholeResult(api, job_id, withSuccess(reply.value, view), reply.text);
      if (whole !== null) return whole;
    }
    const lost = lossDetector.lossAfter(reply, view) ?? cancellation.failed();
    if (lost !== null) return { is: "lost", message: `flow engine: ${lost}` };
    await pause(wait_ms, isCancelled ? never : signal, leaving);
  }
}

/** The result may leave out whether the job succeeded; the view of a job that has ended says it. */
const withSuccess = (completion: Ended, view: View): Ended =>
  view.is === "ok" ? { ...completion, success: completion.success ?? view.value.success } : completion;

/** The engine replaces a result that is too large by a marker. Null when the result cannot be fetched now. */
async function wholeResult(api: EngineApi, job_id: string, completion: Ended, text: string): Promise<Followed | null> {
  if (completion.result !== TOO_BIG) return { is: "completed", completion, text };
  const reply = await api.result(job_id);
  if (reply.is === "too_large") return reply;
  if (reply.is !== "ok") return null;
  return { is: "completed", completion: { ...completion, result: reply.value }, text: reply.text };
}

const TOO_BIG = "WINDMILL_TOO_BIG";

type View = Awaited<ReturnType<EngineApi["view"]>>;

function moduleIn(view: View): string | null {
  const [module] = view.is === "ok" ? (view.value.flow_status?.modules ?? []) : [];
  return module?.job ?? null;
}

/** Decides when a job is lost: after a long time without a response, or after a short time in which the engine does not know it. */
function createLossDetector({ lost_ms, missing_ms }: Timing, certain: boolean) {
  let seen = false;
  let last_seen_at = performance.now();
  let missing_since: number | null = null;
  return {
    /** The reason why the job is lost, null while it is not. For an unknown job, the engine answers "not completed". */
    lossAfter: (reply: EngineReply<Completion>, view: View): string | null => {
      const now = performance.now();
      const isThere = isRunning(reply, view);
      seen ||= isThere;
      if (isThere) last_seen_at = now;
      missing_since = !isThere && (isUnknown(view) || isUnknown(reply)) ? (missing_since ?? now) : null;
      // The replica that answers may not have a job yet that was accepted a moment ago.
      const patience_ms = seen || !certain ? missing_ms : lost_ms;
      if (missing_since !== null && now - missing_since >= patience_ms) return "the engine does not know the job";
      return now - last_seen_at >= lost_ms
        ? `there was no response about the job for ${lost_ms / 1000} s (${lastResponse(reply)})`
        : null;
    },
  };
}

/** False for a job that has ended although its result cannot be fetched: nothing more will come from it. */
function isRunning(reply: EngineReply<Completion>, view: View): boolean {
  if (reply.is === "ok") return !reply.value.completed && (reply.value["started"] === true || view.is === "ok");
  return view.is === "ok" && view.value.type === "QueuedJob";
}

const lastResponse = (reply: EngineReply<Completion>): string =>
  reply.is === "ok" ? "the job is not completed" : describeFailure(reply);

const isUnknown = ({ is, ...reply }: EngineReply<unknown>): boolean =>
  is === "refused" && "status" in reply && reply.status === 404;

/** Repeats the cancel request until the engine accepts it, and then waits for the end of the job. */
function createCancellation(api: EngineApi, { cancel_ms }: Timing, job_id: string) {
  let since: number | null = null;
  let answer = "";
  return {
    ask: async (): Promise<void> => {
      since ??= performance.now();
      if (answer === "yes") return;
      const reply = await api.cancel(job_id, "its task was cancelled");
      answer = reply.is === "ok" ? "yes" : describeFailure(reply);
    },
    failed: (): string | null => {
      if (since === null || performance.now() - since < cancel_ms) return null;
      return answer === "yes"
        ? "the engine accepted the cancel request, but the job has not ended: it may still run"
        : `the job could not be cancelled (${answer}): it may still run`;
    },
  };
}

// The lines that the shipped flow logs when a step starts and ends are the only record of its steps if a job ends without a result (D-102).
// Callers that follow the task get the lines as progress. The steps are in the log of the flow's module, which is a job with its own id.

export type JobLog = {
  /** `module_id` is null until the engine has started the module. Lines that cannot be read now are read the next time. */
  readonly read: (module_id: string | null) => Promise<void>;
  /** The starts and ends of steps that were read until now. */
  readonly steps: () => readonly StepLine[];
};

const MAX_LINES = 4_000;

const MAX_LENGTH = 400;

/** The characters of a line that redaction reads: a secret may begin in the published part and end after it. */
const MAX_SEEN = 16_384;

type ReadLogDeps = {
  readonly api: Pick<EngineApi, "log">;
  readonly redact: Redact;
  readonly publish: (lines: readonly string[]) => Promise<void>;
};

export function createJobLog({ api, redact, publish }: ReadLogDeps): JobLog {
  const steps: StepLine[] = [];
  let offset = 0;
  let rest = "";
  let line_count = 0;

  const report = async (lines: readonly string[]): Promise<void> => {
    const part = { start: 0, end: MAX_LENGTH };
    const left = Math.max(0, MAX_LINES - line_count);
    const shown = lines.slice(0, left).map((line) => redact(line.slice(0, MAX_SEEN), part));
    if (line_count <= MAX_LINES && lines.length > left) shown.push("the rest of its log is in the flow engine");
    line_count += lines.length;
    if (shown.length > 0) await publish(shown);
  };

  return {
    read: async (module_id) => {
      if (module_id === null) return;
      const update = await api.log(module_id, offset);
      if (update.is !== "ok") return;
      const { new_logs, log_offset } = update.value;
      const text = rest + (new_logs ?? "").replaceAll("\0", "");
      offset = log_offset ?? offset + (new_logs ?? "").length;
      const end = text.lastIndexOf("\n") + 1;
      rest = text.slice(end).slice(0, MAX_SEEN);
      const lines = text
        .slice(0, end)
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "");
      for (const line of lines) {
        const step = stepLine(line);
        if (step !== null && steps.length < MAX_LINES) steps.push(step);
      }
      await report(lines);
    },
    steps: () => steps,
  };
}

export type StepLine = {
  readonly index: number;
  readonly kind: StepResult["kind"];
  /** Null: the step has started and not ended. */
  readonly end: Pick<StepResult, "status" | "exit_code" | "duration_ms"> | null;
};

const LINE =
  /^orch: step (\d{1,4}) (cmd|check|wait|mcp_call) (?:started|(passed|failed|outcome_unknown) exit_code=(none|-?\d{1,6}) duration_ms=(\d{1,10}))$/;

/** `index` counts within the job. Null for any other line. */
export function stepLine(line: string): StepLine | null {
  const [, index, kind, status, exit_code, duration_ms] = LINE.exec(line) ?? [];
  if (index === undefined || kind === undefined) return null;
  return {
    index: Number(index),
    kind: kind as StepResult["kind"],
    end:
      status === undefined
        ? null
        : {
            status: status as StepResult["status"],
            exit_code: exit_code === "none" ? null : Number(exit_code),
            duration_ms: Number(duration_ms),
          },
  };
}
