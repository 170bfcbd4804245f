// Runs small tasks with an agent, each in a directory of its own, and measures the result.
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { getEvidence } from "../../api/operations/shapes/journal.ts";
import { cancelTask, getTask, submitTask } from "../../api/operations/shapes/tasks.ts";
import type { CallOperation } from "../../cli/client.ts";
import { tried } from "../../cli/failure.ts";
import type { TaskContract } from "../../domain/contract.ts";
import { OrchError } from "../../domain/errors.ts";
import { hasEnded, type Outcome } from "../../domain/outcome.ts";
import type { Evidence } from "../../engine/evidence/bundle.ts";
import {
  baseEnvironment,
  createLaunch,
  createRunCommand,
  createSpaces,
  type Sandbox,
} from "../../execution/execution.ts";
import { approve } from "../../features/approvals/shapes.ts";
import type { Clock } from "../../ports.ts";
import type { Canaries } from "./canaries.ts";
import { effortOf, type TaskResult } from "./scores.ts";
import { contractOf, type EvalTask, type Places, withPlaces } from "./task.ts";

export type AgentOrder = {
  readonly tasks: readonly EvalTask[];
  /** Undefined selects the backend of the environment. */
  readonly backend: TaskContract["agent_backend"];
  /** Called after every task that has ended. */
  readonly onProgress: (done: number, task: TaskResult) => void;
};

type RunTasksDeps = {
  readonly root: string;
  readonly call: CallOperation;
  readonly bash: Bash;
  readonly clock: Clock;
  readonly canaries: Canaries;
};

/** Runs one task after the other until `stop`. The result leaves out the task that `stop` interrupts. */
export async function runTasks(deps: RunTasksDeps, order: AgentOrder, stop: AbortSignal): Promise<TaskResult[]> {
  const all: TaskResult[] = [];
  for (const task of order.tasks) {
    const result = await runTask(deps, task, order.backend, stop);
    if (stop.aborted) break;
    all.push(result);
    order.onProgress(all.length, result);
  }
  return all;
}

async function runTask(
  { root, call, bash, clock, canaries }: RunTasksDeps,
  task: EvalTask,
  backend: AgentOrder["backend"],
  stop: AbortSignal,
): Promise<TaskResult> {
  const directory = join(root, task.name);
  const { places } = canaries;
  const escapesIn = await canaries.set(task);
  await setUp(task, { directory, places }, bash);
  const contract = contractOf(task, { directory, places, requested_at: clock().toISOString(), backend });
  const begun = performance.now();
  const { status, label, reason_code, message } = await supervise(call, contract, stop);
  const duration_ms = Math.round(performance.now() - begun);
  const evidence = await evidenceOf(call, contract.task_id);
  // The files are read before the verification runs any of them.
  const escapes = await escapesIn({ record: evidence, directory });
  const really_done = (await bash(task.verify, directory)) === null;
  const ended = { status, label, reason_code, message, really_done, escapes, duration_ms };
  return { name: task.name, ...ended, ...effortOf(evidence) };
}

// The supervisor of a measured task, over HTTP like any other. It submits, waits, and rejects every approval. It cancels a
// task that asks for steps, so that every task ends.

const ONE_WAIT_SECONDS = 50;
const NO_APPROVALS = "a measurement rejects every approval";

/** Resolves with the outcome of the task. `stop` cancels the task. */
async function supervise(call: CallOperation, contract: TaskContract, stop: AbortSignal): Promise<Outcome> {
  const { task_id } = contract;
  // A cancelled task also ends the current wait.
  const cancel = () => tried(call(cancelTask, { task_id, reason: "the measurement ends this task" }));
  const onStop = () => void cancel();
  stop.addEventListener("abort", onStop);
  try {
    let { status, outcome } = await answerOf(call(submitTask, contract));
    while (!hasEnded(status) || outcome === null) {
      if (stop.aborted || status === "need_input") await cancel();
      else if (status === "need_approval")
        await answerOf(call(approve, { task_id, decision: "reject", reason: NO_APPROVALS }));
      ({ status, outcome } = await answerOf(call(getTask, { task_id, wait_seconds: ONE_WAIT_SECONDS })));
    }
    return outcome;
  } finally {
    stop.removeEventListener("abort", onStop);
  }
}

const evidenceOf = (call: CallOperation, task_id: string): Promise<Evidence> =>
  answerOf(call(getEvidence, { task_id }));

/** Throws on a failure: the server belongs to this measurement and must answer. */
async function answerOf<T>(asked: Promise<T>): Promise<T> {
  const result = await tried(asked);
  if (result.ok) return result.value;
  throw new OrchError("internal_error", `The measured orch refused a call: ${result.failure.detail}`);
}

// The directory of a measured task, and the bash that sets it up and then checks whether the task was done. This bash may
// run files that the agent wrote, so it has the sandbox of an agent's commands.

const LIMIT_MS = 60_000;
const GRACE_MS = 1_000;

/** Every line of the script must succeed. Resolves with null on success, else with the reason. */
export type Bash = (script: string, cwd: string) => Promise<string | null>;

/** By default as a plain step. */
export function createBash(sandbox?: Sandbox): Bash {
  const run = createRunCommand({ launch: createLaunch({ spaces: createSpaces() }) });
  const env = baseEnvironment({ home: homedir() });
  const bounds = { env, limit_ms: LIMIT_MS, grace_ms: GRACE_MS };
  return async (script, cwd) => {
    const within = sandbox === undefined ? {} : { sandbox: { ...sandbox, writable: [cwd] } };
    const end = await run({ script, strict: true, cwd, ...bounds, ...within }, new AbortController().signal);
    if (!end.ran) return end.reason;
    return end.exit_code === 0 && end.stopped === null ? null : `it ended with ${end.exit_code}: ${end.stderr.text}`;
  };
}

/** Rejects with `input_invalid` when the task cannot be set up. */
export async function setUp(
  { name, files, setup }: EvalTask,
  { directory, places }: { readonly directory: string; readonly places: Places },
  bash: Bash,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), withPlaces(content, places));
  }
  const fault = setup === undefined ? null : await bash(setup, directory);
  if (fault !== null) throw new OrchError("input_invalid", `The setup of ${name} fails: ${fault}`);
}
