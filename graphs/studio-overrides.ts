// Makes what LangGraph Studio has in the place of parts of the service: a backend that rehearses steps, a store without rows of tasks, and a
// journal for every start.
import { getConfig, getWriter } from "@langchain/langgraph";
import { z } from "zod";
import type { Change } from "../src/domain/change.ts";
import type { Step, StepResult } from "../src/domain/step.ts";
import { commandText } from "../src/domain/step-run.ts";
import type { Thread, ThreadOf } from "../src/engine/tasks/thread.ts";
import type { Clock, ExecutionBackend, Store } from "../src/ports.ts";

/**
 * An execution backend that runs nothing: every step passes, and its output says that it was rehearsed. It shows the path of a
 * contract through the pipeline without any effect.
 */
export const createRehearsal = (clock: Clock): ExecutionBackend => ({
  name: "rehearsal",
  remote: false,
  run: async ({ steps, first_index, attempt: first_attempt }, observer, signal) => {
    const step_results: StepResult[] = [];
    for (const [offset, step] of steps.entries()) {
      const index = first_index + offset;
      const attempt = offset === 0 ? first_attempt : 1;
      if (signal.aborted || !(await observer.started(index, attempt))) break;
      const result = rehearsed(step, index, attempt, clock().toISOString());
      observer.finished(result);
      step_results.push(result);
    }
    return {
      ok: step_results.length === steps.length,
      summary: `${step_results.length} of ${steps.length} step(s) rehearsed, none of them run`,
      step_results,
      evidence: { executed_commands: [], key_outputs: step_results.map(({ stdout }) => stdout) },
    };
  },
});

function rehearsed(step: Step, index: number, attempt: number, started_at: string): StepResult {
  const stdout = `rehearsed, not run: ${commandText(step)}`;
  return {
    index,
    kind: step.kind,
    status: "passed",
    attempt,
    exit_code: 0,
    stdout,
    stderr: "",
    stdout_bytes: Buffer.byteLength(stdout),
    stderr_bytes: 0,
    truncated: false,
    started_at,
    duration_ms: 0,
    timed_out: false,
  };
}

/**
 * The store of Studio's graphs. Studio has threads of its own and no task rows, so changes of tasks are left out of a commit, and
 * so is a second decision on an approval, which a fork from before it has asked for again. Committed events are streamed (mode
 * `custom`): they are all that shows of a step.
 */
export function storeForStudio(store: Store): Store {
  const isDecided = async (change: Change): Promise<boolean> =>
    change.on === "approval" && (await store.findApproval(change.approval_id))?.status !== "pending";
  return {
    ...store,
    commit: async (commit) => {
      const changes: Change[] = [];
      for (const change of commit.changes ?? [])
        if (change.on !== "task" && !(await isDecided(change))) changes.push(change);
      const result = await store.commit({ ...commit, changes });
      if (result.ok) for (const event of result.events) getWriter()?.(event);
      return result;
    },
  };
}

/** The nodes that look into a journal first when a graph starts. A graph within a node of another has no start of its own. */
const FIRST_NODES = /^(admit|replace_sop|request_promotion|load_tools):[^|]*$/;

/** The nodes that wait for a decision. Only their own answer decides in Studio, so one on record is that of another branch. */
const ASKING_NODES = /(^|\|)await_(approval|replacement|skill_approval|agent_approval|call_approval|promotion):[^|]*$/;

const RunConfig = z.object({
  configurable: z.object({ thread_id: z.string() }),
  metadata: z.object({ langgraph_checkpoint_ns: z.string() }),
  signal: z.instanceof(AbortSignal).optional(),
});

/**
 * In the service a task has one thread and one journal. In Studio the same contract is started again and again, on new threads and
 * on the same one, so every start gets a journal: `<Studio's thread>/<task_id>/<number of the start>`. What continues a thread (an
 * answer, a fork from an earlier checkpoint) goes on with the journal of its last start, and what was done there stays so. A fork
 * from before an approval asks for it again.
 */
export const journalPerStart =
  (open: ThreadOf): ThreadOf =>
  async (name) => {
    const { configurable, metadata, signal } = RunConfig.parse(getConfig());
    const startOf = (number: number) => open(`${configurable.thread_id}/${name}/${number}`);
    let number = 1;
    while ((await startOf(number + 1)).journal.events.length > 0) number += 1;
    let thread = await startOf(number);
    if (FIRST_NODES.test(metadata.langgraph_checkpoint_ns) && hasBegun(thread)) {
      thread = await startOf(number + 1);
      await thread.journal.commit([{ kind: "taken_up", body: { owner: "studio", recovery: false } }]);
    }
    const shown = ASKING_NODES.test(metadata.langgraph_checkpoint_ns) ? undecided(thread) : thread;
    return signal === undefined ? shown : { ...shown, cancel: AbortSignal.any([shown.cancel, signal]) };
  };

/** The same thread, in which nothing has been decided yet. */
function undecided(thread: Thread): Thread {
  const { journal } = thread;
  const projection = { ...journal.projection, approvals: { ...journal.projection.approvals, decisions: new Map() } };
  return { ...thread, journal: Object.create(journal, { projection: { value: projection } }) };
}

const hasBegun = ({ journal }: Thread): boolean => journal.projection.has_begun;
