// A thread through its graph: how it starts, what is left of its checkpoints, and who holds the target afterwards.
import { Command, INTERRUPT } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import type { TaskContract } from "../../../../src/domain/contract.ts";
import { OrchError } from "../../../../src/domain/errors.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import { type Graph, leaseEnd, runTask, runThread, type Start } from "../../../../src/engine/worker/task-runs.ts";
import { aContract } from "../../../support/builders.ts";
import { pipelineParts } from "../../../support/pipeline-parts.ts";

const TEACH = outcome("need_input", "sop_unknown", "Teach it.", { thread_id: "t-1" });
const CANCELLED = outcome("cancelled", "cancelled", "It was cancelled.", { thread_id: "t-1" });
const started: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };
const STARTS: Record<Start["kind"], Start> = {
  new: { kind: "new", events: [] },
  resume: { kind: "resume", interrupt_id: "i-0" },
  recover: { kind: "recover" },
};

/** What a thread runs with. `act` is what the graph does; the acts on checkpoints are kept in `done`. */
function running(act: (parts: ReturnType<typeof pipelineParts>) => unknown = () => ({})) {
  const parts = pipelineParts();
  const done: string[] = [];
  const calls: Parameters<Graph["invoke"]>[] = [];
  const graph: Graph = {
    invoke: async (...call) => {
      calls.push(call);
      done.push("invoke");
      return act(parts);
    },
  };
  const checkpoints = {
    deleteThread: async (id: string) => void done.push(`delete ${id}`),
    prune: async (id: string) => done.push(`prune ${id}`) > 0,
    sweep: async () => void done.push("sweep"),
  };
  const { store, threads, deps } = parts;
  const log = { error: () => undefined };
  const skillFaultOf = () => null;
  const task = {
    log,
    skillFaultOf,
    store,
    threads,
    graph,
    checkpoints,
    clock: deps.clock,
    owner: "me",
    lease_ms: 30_000,
  };
  return { parts, done, calls, task };
}

describe("a thread", () => {
  const run = async (start: Start, result: unknown = {}) => {
    const it = running(() => result);
    await it.parts.begin(aContract());
    const thread = await it.parts.threads.threadOf("t-1");
    const ran = runThread({ ...it.task, thread, thread_id: "t-1", task_id: "t-1", input: { contract: "c" }, start });
    return { ...it, ran };
  };

  test.each([
    ["new", ["invoke"]],
    ["resume", ["prune t-1", "invoke", "delete t-1"]],
    ["recover", ["delete t-1", "invoke", "delete t-1"]],
  ] as const)("that starts as %s and ends does to its checkpoints: %j", async (kind, done) => {
    const it = await run(STARTS[kind]);
    expect(await it.ran).toBe("finished");
    expect(it.done).toEqual(done);
  });

  test("is resumed at the interrupt that was answered, and otherwise given its input", async () => {
    const config = { configurable: { thread_id: "t-1" }, durability: "exit", recursionLimit: 10_000 };
    for (const kind of ["new", "recover"] as const) {
      expect((await run(STARTS[kind])).calls).toEqual([[{ contract: "c" }, config]]);
    }
    const [[input, given] = []] = (await run(STARTS.resume)).calls;
    expect(input).toBeInstanceOf(Command);
    expect(input).toMatchObject({ resume: { "i-0": "answered" } });
    expect(given).toEqual(config);
  });

  test("that pauses without a question is an error", async () => {
    const { ran } = await run(STARTS.new, { [INTERRUPT]: [] });
    await expect(ran).rejects.toThrow("thread t-1 paused without a question");
  });
});

const taskOf = (contract: TaskContract) => ({ task_id: "t-1", contract, intent: "deploy", target_signature: "x" });

describe("a task", () => {
  const runs = async (act: Parameters<typeof running>[0], start: Start = STARTS.recover, ...events: NewEvent[]) => {
    const it = running(act);
    const contract = await it.parts.begin(aContract(), ...events);
    const segment = runTask(it.task, taskOf(contract), start);
    return { ...it, segment };
  };

  test.each([
    ["resume", false],
    ["recover", true],
  ] as const)(
    "that starts as %s is claimed with recovery %s, by this owner, until the lease ends",
    async (kind, recovery) => {
      const it = running();
      const contract = await it.parts.begin(aContract());
      await runTask(it.task, taskOf(contract), STARTS[kind]);
      expect((await it.parts.store.readJournal("t-1")).at(-1)).toMatchObject({
        kind: "taken_up",
        body: { owner: "me", recovery },
      });
      const lease_expires_at = leaseEnd(it.task);
      expect(lease_expires_at).toBe("2026-03-06T09:00:30.000Z");
      expect(await it.parts.store.findTask("t-1")).toMatchObject({ status: "running", owner: "me", lease_expires_at });
      expect(it.calls[0]?.[0]).toEqual(kind === "resume" ? expect.any(Command) : { contract });
    },
  );

  test("that is new is claimed in one commit with the first thing that is recorded of it", async () => {
    const kinds: string[][] = [];
    const it = running(async ({ store, threads }) => {
      const look = async () => kinds.push((await store.readJournal("t-1")).map(({ kind }) => kind));
      await look();
      await threads.threadOf("t-1").then(({ journal }) => journal.commit([started]));
      await look();
    });
    const contract = await it.parts.begin(aContract());
    const events = await it.parts.store.readJournal("t-1");
    await runTask(it.task, taskOf(contract), { kind: "new", events });
    expect(kinds[1]).toEqual([...(kinds[0] ?? []), "taken_up", "step_started"]);
    expect(await it.parts.store.findTask("t-1")).toMatchObject({ status: "running", owner: "me" });
  });

  test("that is new reads nothing of its journal", async () => {
    const it = running();
    const contract = await it.parts.begin(aContract());
    const events = await it.parts.store.readJournal("t-1");
    const reads: string[] = [];
    const readJournal = async (id: string) => {
      reads.push(id);
      return it.parts.store.readJournal(id);
    };
    const { threads } = it.parts;
    const threadOf = (id: string) => readJournal(id).then(() => threads.threadOf(id));
    const task = { ...it.task, threads: { ...threads, threadOf } };
    await runTask(task, taskOf(contract), { kind: "new", events });
    expect(reads).toEqual([]);
  });

  test("that was ended by another writer before the claim runs nothing, and frees its target", async () => {
    const it = running();
    const contract = await it.parts.begin(aContract(), started);
    const set = { status: "cancelled" } as const;
    await it.parts.write("t-1", [], [{ on: "task", task_id: "t-1", expect: { status: ["running"] }, set }]);
    const task = taskOf(contract);
    expect(await runTask(it.task, task, STARTS.recover)).toMatchObject({
      result: "ended_elsewhere",
      frees_target: true,
    });
    expect(it.done).toEqual([]);
    expect((await it.parts.kindsOf()).filter((kind) => kind === "taken_up")).toHaveLength(1);
    expect(it.parts.threads.isOpen("t-1")).toBe(false);
  });

  test.each([
    [[], true],
    [[started], false],
  ] as const)(
    "that waits, because the response to its pause was lost, runs nothing after %j and frees its target: %s",
    async (events, frees_target) => {
      const it = running();
      const contract = await it.parts.begin(aContract(), ...events, { kind: "reported", body: TEACH });
      const set = { status: "need_input" } as const;
      await it.parts.write("t-1", [], [{ on: "task", task_id: "t-1", expect: { status: ["running"] }, set }]);
      const task = taskOf(contract);
      expect(await runTask(it.task, task, STARTS.recover)).toMatchObject({ result: "paused", frees_target });
      expect(it.done).toEqual([]);
    },
  );

  test("whose question was the worker's is replayed from its journal when it is answered", async () => {
    const it = running();
    const contract = await it.parts.begin(aContract());
    const task = taskOf(contract);
    await runTask(it.task, task, { kind: "resume", interrupt_id: "journal/7" });
    expect([it.done, it.calls[0]?.[0]]).toEqual([["delete t-1", "invoke", "delete t-1"], { contract }]);
  });

  test("that another writer ends in the middle has ended elsewhere, and its checkpoints are deleted", async () => {
    const it = await runs(async ({ write, journalOf }) => {
      await write("t-1", [{ kind: "reported", body: CANCELLED }]);
      await (await journalOf()).commit([started]);
    });
    expect(await it.segment).toMatchObject({ result: "ended_elsewhere", frees_target: true });
    expect(it.done).toEqual(["delete t-1", "invoke", "delete t-1"]);
    expect(it.parts.threads.isOpen("t-1")).toBe(false);
  });

  test("that another server claims in the middle is fenced, and its checkpoints are left to that server", async () => {
    const it = await runs(async ({ write, journalOf }) => {
      await write("t-1", [{ kind: "taken_up", body: { owner: "another", recovery: true } }]);
      await (await journalOf()).commit([started]);
    });
    await expect(it.segment).rejects.toMatchObject({ code: "fenced" });
    expect(it.done).toEqual(["delete t-1", "invoke"]);
    expect(it.parts.threads.isOpen("t-1")).toBe(false);
  });

  test("that breaks off with any other error passes it on, also after its end", async () => {
    const full = () => Promise.reject(new OrchError("internal_error", "the disk is full"));
    for (const events of [[], [{ kind: "reported", body: CANCELLED }]] as const) {
      const it = await runs(full, STARTS.recover, ...events);
      await expect(it.segment).rejects.toThrow("the disk is full");
      expect(it.done).toEqual(["delete t-1", "invoke"]);
      expect(it.parts.threads.isOpen("t-1")).toBe(false);
    }
  });
});
