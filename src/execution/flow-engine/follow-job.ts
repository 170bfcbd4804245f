// Waits for the end of a job that was handed over. What goes wrong on the way is waited out: the job runs on its own, and a
// second one would run its steps twice. Only the engine's word, or a long silence, ends the waiting.
import { ABANDONED } from "../../ports.ts";
import { type Completion, type EngineApi, type EngineReply, wordsOf } from "./engine-api.ts";
import type { JobLog } from "./read-log.ts";
import { longer, pause, type Timing } from "./timing.ts";

export type Followed =
  | { readonly is: "completed"; readonly completion: Extract<Completion, { completed: true }>; readonly text: string }
  | { readonly is: "too_large"; readonly message: string }
  /** The server leaves; the job goes on and is found again. */
  | { readonly is: "left" }
  | { readonly is: "lost"; readonly message: string };

type Deps = {
  readonly api: EngineApi;
  readonly timing: Timing;
  readonly log: JobLog;
  readonly leaving: () => boolean;
};

/** `certain` when the engine has said that it accepted the job. An abort of the signal cancels the job. */
export async function followJob(
  { api, timing, log, leaving }: Deps,
  { job_id, certain }: { readonly job_id: string; readonly certain: boolean },
  signal: AbortSignal,
): Promise<Followed> {
  const sight = createSight(timing, certain);
  const cancelling = createCancelling(api, timing, job_id);
  const quiet = new AbortController().signal;
  for (let wait_ms = timing.poll_ms; ; wait_ms = signal.aborted ? timing.poll_ms : longer(wait_ms, timing)) {
    const isCancelled = signal.aborted && signal.reason !== ABANDONED;
    if (isCancelled) await cancelling.ask();
    if (leaving()) return { is: "left" };
    const reply = await api.completion(job_id);
    const view = await api.view(job_id);
    await log.read(moduleIn(view));
    if (reply.is === "too_large" && !(view.is === "ok" && view.value.type === "QueuedJob")) return reply;
    if (reply.is === "ok" && reply.value.completed) {
      const whole = await wholeResult(api, job_id, reply.value, reply.text);
      if (whole !== null) return whole;
    }
    const lost = sight.lostAfter(reply, view) ?? cancelling.failed();
    if (lost !== null) return { is: "lost", message: `flow engine: ${lost}` };
    await pause(wait_ms, isCancelled ? quiet : signal, leaving);
  }
}

/** Where the result did not fit into its place, the engine has put a word there. Null when it cannot be had now. */
async function wholeResult(
  api: EngineApi,
  job_id: string,
  completion: Extract<Completion, { completed: true }>,
  text: string,
): Promise<Followed | null> {
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

/** Whether the job is still in sight: silence is borne for long, the word that there is no such job for a moment. */
function createSight({ lost_ms, missing_ms }: Timing, certain: boolean) {
  let seen = false;
  let heard_at = performance.now();
  let missing_since: number | null = null;
  return {
    /** Why it is given up, null while it is not. The engine says of an unknown job that it is not completed. */
    lostAfter: (reply: EngineReply<Completion>, view: View): string | null => {
      const now = performance.now();
      const isThere = isRunning(reply, view);
      seen ||= isThere;
      if (isThere) heard_at = now;
      missing_since = !isThere && (isUnknown(view) || isUnknown(reply)) ? (missing_since ?? now) : null;
      // One that was accepted a moment ago may not be there yet for whoever answers.
      const patience_ms = seen || !certain ? missing_ms : lost_ms;
      if (missing_since !== null && now - missing_since >= patience_ms) return "it does not know the job";
      return now - heard_at >= lost_ms
        ? `nothing was heard of the job for ${lost_ms / 1000} s (${silenceOf(reply)})`
        : null;
    },
  };
}

/** Of a job that has ended and whose result cannot be had nothing more is heard. */
function isRunning(reply: EngineReply<Completion>, view: View): boolean {
  if (reply.is === "ok") return !reply.value.completed && (reply.value["started"] === true || view.is === "ok");
  return view.is === "ok" && view.value.type === "QueuedJob";
}

const silenceOf = (reply: EngineReply<Completion>): string =>
  reply.is === "ok" ? "it is not completed" : wordsOf(reply);

const isUnknown = ({ is, ...reply }: EngineReply<unknown>): boolean =>
  is === "refused" && "status" in reply && reply.status === 404;

/** Asks the engine to end the job until it says yes, and then waits for the end. */
function createCancelling(api: EngineApi, { cancel_ms }: Timing, job_id: string) {
  let since: number | null = null;
  let answer = "";
  return {
    ask: async (): Promise<void> => {
      since ??= performance.now();
      if (answer === "yes") return;
      const reply = await api.cancel(job_id, "its task was cancelled");
      answer = reply.is === "ok" ? "yes" : wordsOf(reply);
    },
    failed: (): string | null => {
      if (since === null || performance.now() - since < cancel_ms) return null;
      return answer === "yes"
        ? "it was asked to cancel the job, and the job has not ended: it may still run"
        : `the job could not be cancelled (${answer}): it may still run`;
    },
  };
}
