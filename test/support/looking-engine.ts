// An engine with every look on, targets with a directory of their own, and the acts of a supervisor who promotes versions and
// runs them on trial.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine } from "./engine.ts";

const LOOKS = { BEFORE_LOOK: "on", CHECK_LOOKS: "on" };
const KNOWN = { delegation_mode: "known_only", success_criteria: [] };

export type Target = { readonly service: string; readonly compose_dir: string };
type Decision = "approve" | "reject";

/** `directory`: that of an engine that was shut down. */
export async function openLookingEngine(env: Readonly<Record<string, string>> = {}, directory?: string) {
  const engine = await openEngine({ env: { ...LOOKS, ...env }, ...(directory !== undefined && { directory }) });
  // Not in the data directory of the engine, which no world shows.
  const root = await mkdtemp(join(tmpdir(), "targets-"));
  const { call, approvalOf } = engine;
  let made = 0;

  const decided = async (thread_id: string, decision: Decision = "approve") => {
    const { approval_id } = await approvalOf(thread_id);
    await call("approve", { approval_id, decision });
  };

  const acts = {
    aTarget: async (): Promise<Target> => {
      const service = `web${++made}`;
      const compose_dir = join(root, service);
      await mkdir(compose_dir);
      return { service, compose_dir };
    },
    decided,
    /** Stores a version, and resolves with it once it is decided on. */
    promoted: async (target: object, steps: readonly object[], over: object = {}, decision: Decision = "approve") => {
      const { sop } = await call("teach", { intent: "deploy", target, steps, ...over });
      return acts.settled(sop.sop_id, decision);
    },
    settled: async (sop_id: string, decision: Decision = "approve") => {
      await decided(`promotion/${sop_id}`, decision);
      for (;;) {
        const sop = await acts.version(sop_id);
        if (sop.status !== "candidate") return sop;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    version: async (sop_id: string) => (await call("get_sop", { sop_id })).sop,
    /** Submits a task for a known procedure and waits until it ends or asks. */
    start: (task_id: string, target: object, over: object = {}) =>
      engine.submit({ task_id, target, ...KNOWN, ...over }),
    /** Answers what the task asks and waits until it ends. */
    finish: async (task_id: string, decision: Decision = "approve") => {
      await decided(task_id, decision);
      return engine.outcomeOf(task_id);
    },
    /** Submits it, approves it and waits until it ends. */
    ran: async (task_id: string, target: object, over: object = {}) => {
      const { outcome } = await acts.start(task_id, target, over);
      if (outcome.reason_code !== "approval_required")
        throw new Error(`${task_id} asks for nothing: ${outcome.message}`);
      return acts.finish(task_id);
    },
    /** What was said to the supervisor of this thread. */
    messagesOf: async (
      thread_id: string,
    ): Promise<readonly { outcome: { reason_code: string; message: string } }[]> => {
      const { messages } = await call("list_messages", { limit: 500 });
      return messages.filter((message: { thread_id: string }) => message.thread_id === thread_id);
    },
  };

  return {
    ...engine,
    ...acts,
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export type LookingEngine = Awaited<ReturnType<typeof openLookingEngine>>;
