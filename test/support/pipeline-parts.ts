// What the nodes of the pipeline close over, without a process, a socket or a database: a store in memory, a backend and a
// routing model that answer as a test says, and everything else as it is.
import type { Pipeline, PipelineDeps } from "../../graphs/state.ts";
import type { Change } from "../../src/domain/change.ts";
import type { TaskContract } from "../../src/domain/contract.ts";
import type { ApprovalAnswer, ErrorAnswer } from "../../src/domain/gate.ts";
import { NOTHING_HELD } from "../../src/domain/hold.ts";
import type { NewEvent } from "../../src/domain/journal.ts";
import type { RunRequest } from "../../src/domain/run-request.ts";
import type { Procedure } from "../../src/domain/sop.ts";
import type { Step, StepResult } from "../../src/domain/step.ts";
import { accept, claim } from "../../src/engine/tasks/transitions.ts";
import { createThreads } from "../../src/engine/worker/threads.ts";
import type { ExecutionBackend } from "../../src/ports.ts";
import { AT, aContract, aResult, check, cmd } from "./builders.ts";
import { judgeHere } from "./judge-here.ts";
import { memoryStore } from "./memory-store.ts";

export const PROCEDURE: Procedure = {
  sop_id: "00000000-0000-4000-8000-000000000001",
  sop_version: 3,
  steps: [cmd("touch x"), check("test -e x")],
  criteria: [{ criterion: "the page is served", step_index: 1 }],
  safety_level: "standard",
  preconditions: [],
};

/** The procedure of a task, with these steps. */
export const procedureOf = (steps: readonly Step[], over: Partial<Procedure> = {}): Procedure => ({
  ...PROCEDURE,
  steps: [...steps],
  ...over,
});
export const pinning = (procedure: Procedure = PROCEDURE): NewEvent => ({ kind: "sop_pinned", body: procedure });

/** The state of the pipeline with these facts, and no others. */
export const stateOf = (facts: Pick<Pipeline, "contract"> & Partial<Pipeline>): Pipeline => facts as Pipeline;

export const withCategories = (...require_approval_for: string[]): TaskContract =>
  aContract({ constraints: { implicit_scope: [], require_approval_for, max_minutes: 1 } });

type Ends = (step: Step, index: number) => Partial<StepResult>;

/** Runs the steps of a request one after the other; `ends` gives what differs from a step that passed. */
function scriptedBackend(remote: boolean, ends: Ends) {
  const requests: RunRequest[] = [];
  const backend: ExecutionBackend = {
    name: remote ? "flowengine" : "local",
    remote,
    run: async (request, observer) => {
      requests.push(request);
      const step_results: StepResult[] = [];
      for (const [nth, step] of request.steps.entries()) {
        const index = request.first_index + nth;
        const attempt = nth === 0 ? request.attempt : 1;
        if (!(await observer.started(index, attempt))) break;
        const result = aResult({ index, attempt, kind: step.kind, ...ends(step, index) });
        step_results.push(result);
        observer.finished(result);
        if (result.status !== "passed") break;
      }
      const ok = step_results.every(({ status }) => status === "passed");
      return { ok, summary: "", step_results, evidence: { executed_commands: [], key_outputs: [] } };
    },
  };
  return { backend, requests };
}

type Options = {
  readonly remote?: boolean;
  readonly ends?: Ends;
  /** What the routing model answers on a command: a category, none (null), or "fails". */
  readonly category?: (command: string) => ApprovalAnswer | "fails";
  readonly error?: ErrorAnswer["error_type"];
  readonly over?: Partial<PipelineDeps>;
};

export type PipelineParts = ReturnType<typeof pipelineParts>;

export function pipelineParts(options: Options = {}) {
  const { remote = false, ends = () => ({}), category, error = "unknown", over = {} } = options;
  const clock = () => new Date(AT);
  const store = memoryStore(clock);
  const threads = createThreads({ store, clock, owner: "me", task_holds: NOTHING_HELD });
  const { backend, requests } = scriptedBackend(remote, ends);
  const asked: string[] = [];
  let ids = 100;
  const provenance = { model: "small:1b", latency_ms: 1 };
  const unused = (): never => {
    throw new Error("this part is not used here");
  };
  const deps: PipelineDeps = {
    store,
    clock,
    threadOf: threads.threadOf,
    home: "/home/op",
    judge: judgeHere,
    approval_ttl_ms: 3_600_000,
    new_id: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    backendOf: () => backend,
    unapproved: { run: unused },
    gate: {
      warm: () => undefined,
      classifyError: async ({ command, output }) => {
        asked.push(`${command}: ${output}`);
        return { answer: { error_type: error }, fallback: null, ...provenance };
      },
      matchCategory: async ({ command }) => {
        asked.push(command);
        const answer = category?.(command) ?? { requires_approval: false };
        return answer === "fails"
          ? { answer: { requires_approval: true }, fallback: "timeout", ...provenance }
          : { answer, fallback: null, ...provenance };
      },
    },
    toolServers: {
      names: new Set(["notes"]),
      call: unused,
      listTools: unused,
      effectOf: async () => "reads",
      listNow: async () => ({ is: "unread", why: "nothing listens", is_unreachable: true }),
      mayRepeat: async () => false,
    },
    agent: {
      model: null,
      account: { user: "op", system: "Linux" },
      default_backend: "plain",
      skill_tools: [],
      execution: {
        run: backend.run,
        diskOf: () => ({ read: async () => null, list: async () => null }),
        runsLater: async () => [],
      },
      shellFault: async () => null,
      protectedResources: unused,
      limits: { turns: 9, calls: 9, minutes: 9 },
    },
    sop_promotion: "ask",
    redact: (text) => text,
    examiner: null,
    skillOf: () => null,
    agentBackendOf: unused,
    agentRunOf: unused,
    ...over,
  };

  const write = async (thread_id: string, events: readonly NewEvent[], changes: readonly Change[] = []) => {
    const result = await store.commit({ thread_id, after: "last", events, changes });
    if (!result.ok) throw new Error(`the commit was refused: ${JSON.stringify(result.conflict)}`);
  };
  return {
    deps,
    store,
    threads,
    backend,
    requests,
    asked,
    write,
    /** A claimed task with these events on record. */
    begin: async (contract: TaskContract, ...events: NewEvent[]): Promise<TaskContract> => {
      const accepted = accept({ contract, backend: remote ? "flowengine" : "local", at: AT });
      await write(contract.task_id, accepted.events, accepted.changes);
      const { task_id } = contract;
      const claimed = claim({ task_id, owner: "me", lease_expires_at: AT, recovery: false });
      await write(task_id, [...claimed.events, ...events], claimed.changes);
      return contract;
    },
    journalOf: async (thread_id = "t-1") => (await threads.threadOf(thread_id)).journal,
    kindsOf: async (thread_id = "t-1") => (await store.readJournal(thread_id)).map(({ kind }) => kind),
  };
}
