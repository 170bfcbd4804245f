// Looks for a job that a server before this one handed over, or was about to. One that the engine does not know never
// arrived: it is submitted under its id, unless so much time has passed that the engine may have deleted it since.
import type { EngineApi } from "./engine-api.ts";
import { type Sent, type Submission, submitJob } from "./submit-job.ts";
import { longer, pause, type Timing } from "./timing.ts";

type Deps = {
  readonly api: EngineApi;
  readonly flow_path: string;
  readonly timing: Timing;
  readonly leaving: () => boolean;
};

export async function findJob(
  deps: Deps,
  { age_ms, ...sent }: Sent & { readonly age_ms: number },
  signal: AbortSignal,
): Promise<Submission | { readonly is: "left" }> {
  const { api, timing, leaving } = deps;
  const until = performance.now() + timing.lost_ms;
  // A clock that was set back makes a job look younger than nothing.
  const is_young = age_ms >= 0 && age_ms < timing.resubmit_ms;
  for (let wait_ms = timing.poll_ms; ; wait_ms = longer(wait_ms, timing)) {
    const view = await api.view(sent.job_id);
    if (view.is === "ok") return { is: "accepted" };
    const isUnknown = view.is === "refused" && view.status === 404;
    if (isUnknown && is_young && !signal.aborted) return submitJob(deps, sent, signal);
    if (isUnknown || signal.aborted || performance.now() > until) return OPEN;
    if (leaving()) return { is: "left" };
    await pause(wait_ms, signal);
  }
}

const OPEN: Submission = { is: "open", message: "flow engine: the job was not found again" };
