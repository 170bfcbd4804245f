// A dispatcher on a store in memory, with a graph that does what the test says and a timer that the test fires.
import { INTERRUPT } from "@langchain/langgraph";
import { NOTHING_HELD } from "../../../../src/domain/hold.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import { accept } from "../../../../src/engine/tasks/transitions.ts";
import { createDispatcher, type DispatcherDeps } from "../../../../src/engine/worker/dispatcher.ts";
import { createHoldBack } from "../../../../src/engine/worker/hold-back.ts";
import { createTargetHolds, createTargetLocks } from "../../../../src/engine/worker/task-queue.ts";
import { createThreads } from "../../../../src/engine/worker/threads.ts";
import type { Store } from "../../../../src/ports.ts";
import { alone } from "../../../../src/store/peers.ts";
import { AT, aContract } from "../../../support/builders.ts";
import { manualTimer, settled } from "../../../support/manual-timer.ts";
import { pipelineParts } from "../../../support/pipeline-parts.ts";

export const started: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };
export const pausedAs = (thread_id: string) => ({
  [INTERRUPT]: [
    {
      id: "i-1",
      value: { outcome: outcome("need_input", "sop_unknown", "Teach.", { thread_id }), waiting: { kind: "teaching" } },
    },
  ],
});

/** What the graph does with each thread: resolve to a result, or throw. */
type Act = (thread_id: string) => unknown;

type Options = Pick<DispatcherDeps, "quarantine" | "onWaiting" | "onPlaces"> & {
  readonly cleared?: DispatcherDeps["cleared"];
  readonly holdBack?: DispatcherDeps["holdBack"];
  /** Whether other servers share the database. */
  readonly are_many?: boolean;
  readonly labels?: readonly string[];

  readonly concurrency?: number;
  readonly store?: (store: Store) => Partial<Store>;
};

export function server(act: Act, options: Options = {}) {
  const { concurrency = 4, store: over = () => ({}), are_many = false, labels = [], ...given } = options;
  const parts = pipelineParts();
  const store: Store = { ...parts.store, ...over(parts.store) };
  const manual = manualTimer();
  const locks = createTargetLocks();
  const invoked: string[] = [];
  const done: string[] = [];
  const logged: object[] = [];
  const { clock } = parts.deps;
  const before = { predecessor: "ended", predecessor_process: "other" } as const;
  const servers = { ...alone({ owner: "me", ...before, clock }), are_many };
  const threads = createThreads({ store, clock, owner: "me", task_holds: NOTHING_HELD });
  const deps: DispatcherDeps = {
    store,
    locks,
    concurrency,
    timer: manual.timer,
    clock,
    owner: "me",
    lease_ms: 30_000,
    servers,
    labels,
    holds: createTargetHolds({ store, servers, locks }),
    cleared: () => true,
    skillFaultOf: () => null,
    ping: () => store.renewLeases("me", AT),
    holdBack: createHoldBack({ store, task_holds: NOTHING_HELD, owner: "me" }),
    threads,
    graph: {
      invoke: async (_input, { configurable: { thread_id } }) => {
        invoked.push(thread_id);
        return act(thread_id);
      },
    },
    checkpoints: {
      deleteThread: async (id) => void done.push(`delete ${id}`),
      prune: async (id) => done.push(`prune ${id}`) > 0,
      sweep: async () => void done.push("sweep"),
    },
    onFinished: ({ accepted }) => void done.push(`finished ${accepted?.contract.task_id}`),
    onPaused: () => void done.push("paused"),
    onWaiting: async ({ task_id }) => void done.push(`waiting ${task_id}`),
    ...given,
    log: { error: (details, message) => void logged.push({ ...details, message }) },
  };
  const dispatcher = createDispatcher(deps);
  /** Stores an accepted task, and returns it. */
  const submit = async (task_id: string, over: Record<string, unknown> = {}, ...events: NewEvent[]) => {
    const contract = aContract({ task_id, target: { service: task_id }, ...over });
    const { task, ...accepted } = accept({ contract, backend: "local", at: AT });
    await parts.write(task_id, [...accepted.events, ...events], accepted.changes);
    return task;
  };
  const begin = async (task_id: string, over: Record<string, unknown> = {}) => {
    dispatcher.dispatch(await submit(task_id, over), { kind: "recover" });
    await settled();
  };
  return { ...parts, ...manual, threads, dispatcher, submit, begin, locks, invoked, done, logged };
}

/** An act that waits until the test lets it go. */
export function held() {
  const open = new Map<string, (result: unknown) => void>();
  return {
    act: (id: string) => new Promise((resolve) => open.set(id, resolve)),
    letGo: async (id: string, result: unknown = {}) => {
      open.get(id)?.(result);
      await settled();
    },
  };
}
export const SHARED = { target: { service: "web" } };
