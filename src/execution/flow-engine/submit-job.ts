// Submits a job with the tool servers of its steps, and repeats the request under the recorded id until the engine confirms it
// (D-099). The engine accepts an id once, so a repeated request runs nothing a second time, even if only the first response was
// lost.
import { z } from "zod";
import type { TaskContract } from "../../domain/contract.ts";
import type { JobFailure } from "../../domain/reason-code.ts";
import type { Step } from "../../domain/step.ts";
import type { EngineAnswer, NewJob } from "./engine-api.ts";
import { heldUpBy, type JobMeans, longer, pause } from "./wait-watch.ts";

export type Submission =
  | { readonly is: "accepted" }
  /** The job is certainly not there. */
  | { readonly is: "failed"; readonly code: JobFailure; readonly message: string }
  /** The request was sent, and it is not known whether it arrived. */
  | { readonly is: "open"; readonly message: string };

export async function submitJob(deps: JobMeans, job: NewJob, signal: AbortSignal): Promise<Submission> {
  const { job_id } = job;
  const { api, flow_path, timing, redact, wait } = deps;
  const until = performance.now() + timing.submit_ms;
  // A request that may still arrive, and a job that the engine would show.
  let perhaps = false;
  let visible = false;
  for (let wait_ms = timing.poll_ms; ; wait_ms = longer(wait_ms, timing)) {
    const answer = await api.run(flow_path, job, signal);
    const response = responseOf(answer, job_id, flow_path);
    if (response.is === "accepted") return response;
    perhaps ||= response.trace === "perhaps";
    visible ||= response.trace === "visible";
    const presence: Presence = perhaps || visible ? presenceOf(await api.view(job_id)) : "absent";
    if (presence === "there") return { is: "accepted" };
    // An engine that refused the request itself and does not know the job has not accepted it.
    const is_open = perhaps || (visible && presence === "unseen");
    const next_ms = Math.max(wait_ms, answer.is === "refused" ? answer.retry_after_ms : 0);
    if (!response.again || signal.aborted || performance.now() + next_ms > until) {
      const { code, message } = response;
      return is_open ? { is: "open", message } : { is: "failed", code, message };
    }
    await wait.saw(heldUpBy(answer, redact));
    await pause(next_ms, signal);
  }
}

type Presence = "there" | "absent" | "unseen";

function presenceOf(view: EngineAnswer): Presence {
  if (view.is === "ok") return "there";
  return view.is === "refused" && view.status === 404 ? "absent" : "unseen";
}

type SubmitResponse =
  | { readonly is: "accepted" }
  | {
      readonly is: "not_accepted";
      readonly code: JobFailure;
      readonly message: string;
      /** Whether the job may exist: the request may still arrive (`perhaps`), or the engine would show the job (`visible`). */
      readonly trace: "none" | "visible" | "perhaps";
      readonly again: boolean;
    };

const not = (
  code: JobFailure,
  message: string,
  trace: "none" | "visible" | "perhaps",
  again: boolean,
): SubmitResponse => ({ is: "not_accepted", code, message: `flow engine: ${message}`, trace, again });

function responseOf(answer: EngineAnswer, job_id: string, flow_path: string): SubmitResponse {
  switch (answer.is) {
    case "ok":
      return confirmation(answer.text.trim().replace(/^"|"$/g, ""), job_id);
    case "unreachable":
      return not("engine_unreachable", answer.message, "none", true);
    case "lost":
    case "too_large":
      return not("engine_unreachable", answer.message, "perhaps", true);
    case "refused":
      return refused(answer, flow_path);
  }
}

/** Only an engine that answers with an id has run anything; any other text may be a page in front of it. */
function confirmation(text: string, job_id: string): SubmitResponse {
  if (text === job_id) return { is: "accepted" };
  const message = z.guid().safeParse(text).success
    ? "the engine ran the flow under another id than the submitted one"
    : "the response to the submission is not one of a flow engine";
  return not("engine_refused", message, "perhaps", false);
}

/** Statuses of the engine itself. Other statuses from 500 come from a gateway in front of it. */
const ENGINE_STATUSES: ReadonlySet<number> = new Set([500, 503]);

function refused({ status, message }: Extract<EngineAnswer, { is: "refused" }>, flow_path: string): SubmitResponse {
  const words = `HTTP ${status} ${message}`.trim();
  if (status === 400 && /already exists/i.test(message)) return { is: "accepted" };
  if (status === 404) return not("flow_not_found", `there is no flow ${flow_path} (${words})`, "none", false);
  if (status === 429) return not("engine_unavailable", words, "none", true);
  if (status === 408 || status === 425) return not("engine_unavailable", words, "perhaps", true);
  if (status >= 500) return not("engine_unavailable", words, ENGINE_STATUSES.has(status) ? "visible" : "perhaps", true);
  // For an id that it has, an engine may also answer 400 with another message.
  return not("engine_refused", words, status === 400 ? "visible" : "none", false);
}

export type ToolServerAddresses = ReadonlyMap<string, { readonly url: string; readonly token: string | null }>;

type ServerArgument = { readonly url: string; readonly token: string };

/**
 * The tool servers in the arguments of a flow [2.flow_input.context]: only those that its steps call and that are in the scope of
 * the contract. A token may be a reference to a variable of the engine. The engine resolves it when the job runs, so that no
 * history of a job contains the token. The keys are the identifiers as the steps write them. An unknown server is left out, and
 * the step that calls it fails.
 */
export function mcpServersFor(
  steps: readonly Step[],
  { constraints }: TaskContract,
  known: ToolServerAddresses,
): { readonly [server: string]: ServerArgument } {
  const scope = new Set(constraints.implicit_scope.map((entry) => entry.toLowerCase()));
  const used = new Set(steps.flatMap((step) => (step.kind === "mcp_call" ? [step.server] : [])));
  const entries = [...used].flatMap((server): [string, ServerArgument][] => {
    const config = scope.has(server.toLowerCase()) ? known.get(server.toLowerCase()) : undefined;
    return config === undefined ? [] : [[server, { url: config.url, token: config.token ?? "" }]];
  });
  return Object.fromEntries(entries);
}
