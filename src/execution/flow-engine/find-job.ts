// Looks for a job that an earlier server process submitted, or recorded and may not have submitted. If the engine does
// not know the job, orch submits it under its id, unless the engine has shown it before or may have deleted it since.
import type { Redact } from "../../redact/redact.ts";
import type { EngineApi, NewJob } from "./engine-api.ts";
import { type Submission, submitJob } from "./submit-job.ts";
import { longer, pause, type Timing } from "./timing.ts";
import { heldUpBy, type WaitWatch } from "./wait-watch.ts";

type Deps = {
  readonly api: EngineApi;
  readonly flow_path: string;
  readonly timing: Timing;
  readonly redact: Redact;
  readonly wait: WaitWatch;
  readonly leaving: () => boolean;
};

export async function findJob(
  deps: Deps,
  { may_be_new, ...sent }: NewJob & { readonly may_be_new: boolean },
  signal: AbortSignal,
): Promise<Submission | { readonly is: "suspended" } | { readonly is: "lost"; readonly message: string }> {
  const { api, timing, redact, wait, leaving } = deps;
  const until = performance.now() + timing.lost_ms;
  for (let wait_ms = timing.poll_ms; ; wait_ms = longer(wait_ms, timing)) {
    const view = await api.view(sent.job_id);
    if (view.is === "ok") return { is: "accepted" };
    const isUnknown = view.is === "refused" && view.status === 404;
    if (isUnknown && may_be_new && !signal.aborted) return submitJob(deps, sent, signal);
    if (isUnknown || signal.aborted) return OPEN;
    if (performance.now() > until) {
      return { is: "lost", message: `flow engine: there was no response about the job for ${timing.lost_ms / 1000} s` };
    }
    if (leaving()) return { is: "suspended" };
    await wait.saw(heldUpBy(view, redact));
    await pause(wait_ms, signal, leaving);
  }
}

const OPEN: Submission = { is: "open", message: "flow engine: the job was not found" };
