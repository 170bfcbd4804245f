// What LangGraph's own suite leaves out: replays, concurrency, size, pruning, threads that have ended.
import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { type Checkpoint, emptyCheckpoint, INTERRUPT, uuid6 } from "@langchain/langgraph-checkpoint";
import { beforeAll, describe, expect, test } from "vitest";
import type { Change } from "../../src/domain/change.ts";
import { PROMOTION_PREFIX, promotionThread } from "../../src/domain/thread-id.ts";
import { PrismaSaver } from "../../src/store/checkpoint-saver.ts";
import type { Database } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { aSop, aTask } from "./store-records.ts";

const METADATA = { source: "loop", step: 1, parents: {} } as const;

let made = 0;
const aThread = () => `thread-${++made}`;

function aCheckpoint(values: Record<string, unknown>, version = 1): Checkpoint {
  const channel_versions = Object.fromEntries(Object.keys(values).map((channel) => [channel, version]));
  return { ...emptyCheckpoint(), id: uuid6(++made), channel_values: values, channel_versions };
}

const save = (saver: PrismaSaver, thread_id: string, checkpoint: Checkpoint, checkpoint_ns = "") =>
  saver.put({ configurable: { thread_id, checkpoint_ns } }, checkpoint, METADATA, checkpoint.channel_versions);

const rowsOf = (database: Database, thread_id: string) =>
  Promise.all([
    database.client.checkpoint.count({ where: { thread_id } }),
    database.client.checkpointBlob.count({ where: { thread_id } }),
    database.client.checkpointWrite.count({ where: { thread_id } }),
  ]);

export function saverExtrasSuite(create: () => Promise<Database>): void {
  let database: Database;
  let saver: PrismaSaver;
  beforeAll(async () => {
    database = await create();
    saver = new PrismaSaver(database);
  });

  test("a replayed putWrites changes nothing", async () => {
    const config = await save(saver, aThread(), aCheckpoint({ a: 1 }));
    await saver.putWrites(
      config,
      [
        ["a", 1],
        ["b", 2],
      ],
      "task",
    );
    await saver.putWrites(
      config,
      [
        ["a", 10],
        ["b", 20],
      ],
      "task",
    );
    expect((await saver.getTuple(config))?.pendingWrites).toEqual([
      ["task", "a", 1],
      ["task", "b", 2],
    ]);
  });

  test("a special write replaces the one before it", async () => {
    const config = await save(saver, aThread(), aCheckpoint({ a: 1 }));
    await saver.putWrites(config, [[INTERRUPT, "first"]], "task");
    await saver.putWrites(config, [[INTERRUPT, "second"]], "task");
    expect((await saver.getTuple(config))?.pendingWrites).toEqual([["task", INTERRUPT, "second"]]);
  });

  test("special writes that are repeated together with others change nothing", async () => {
    const config = await save(saver, aThread(), aCheckpoint({ a: 1 }));
    for (const value of ["first", "second"]) {
      const writes: [string, string][] = [
        [INTERRUPT, value],
        ["a", value],
      ];
      await saver.putWrites(config, writes, "task");
    }
    const { pendingWrites = [] } = (await saver.getTuple(config)) ?? {};
    expect(pendingWrites).toHaveLength(2);
    expect(pendingWrites.map(([, , value]) => value)).toEqual(["first", "first"]);
  });

  test("a listed checkpoint matches every entry of the filter", async () => {
    const thread_id = aThread();
    await save(saver, thread_id, aCheckpoint({ a: 1 }));
    const found = async (filter: Record<string, unknown>) => {
      let found = 0;
      for await (const _ of saver.list({ configurable: { thread_id } }, { filter })) found += 1;
      return found;
    };
    expect([await found({ source: "loop", step: 1 }), await found({ source: "loop", step: 2 })]).toEqual([1, 0]);
  });

  test("the same checkpoint saved twice is there once", async () => {
    const thread_id = aThread();
    const checkpoint = aCheckpoint({ a: 1 });
    await save(saver, thread_id, checkpoint);
    await save(saver, thread_id, checkpoint);
    expect(await rowsOf(database, thread_id)).toEqual([1, 1, 0]);
  });

  test("deleting a thread deletes all its namespaces and nothing of another thread", async () => {
    const [thread_id, other] = [aThread(), aThread()];
    for (const ns of ["", "child:1", "child:1|grandchild:2"]) {
      const config = await save(saver, thread_id, aCheckpoint({ a: ns }), ns);
      await saver.putWrites(config, [["a", ns]], "task");
    }
    const kept = await save(saver, other, aCheckpoint({ a: 1 }), "child:1");
    await saver.deleteThread(thread_id);
    expect(await rowsOf(database, thread_id)).toEqual([0, 0, 0]);
    expect((await saver.getTuple(kept))?.checkpoint.channel_values).toEqual({ a: 1 });
  });

  test("a sweep deletes the checkpoints of tasks and promotions that have ended, and no others", async () => {
    const tasks = [aTask({ status: "need_input" }), aTask({ status: "ok" }), aTask({ status: "cancelled" })];
    const sops = (["candidate", "active", "deprecated"] as const).map((status, at) =>
      aSop({ status, version: at + 1 }),
    );
    const store = createStore({ database, clock: () => new Date() });
    const changes: Change[] = [
      ...tasks.map((task): Change => ({ on: "task_created", task })),
      ...sops.map((sop): Change => ({ on: "sop_created", sop })),
    ];
    expect(await store.commit({ thread_id: aThread(), after: null, events: [], changes })).toMatchObject({ ok: true });
    const again = aSop({ status: "candidate", version: 4, promotion_round: 12 });
    await store.commit({ thread_id: aThread(), after: null, events: [], changes: [{ on: "sop_created", sop: again }] });
    const promotions = sops.map(({ sop_id }) => promotionThread(sop_id));
    // Of a version that was set back: only its last promotion has not ended.
    const rounds = [1, 2, 12].map((round) => promotionThread(again.sop_id, round));
    const stranger = aThread();
    // Of a task that is named like the rest of a promotion's thread.
    const alike = `${"x".repeat(PROMOTION_PREFIX.length)}${sops[1]?.sop_id}`;
    const threads = [...tasks.map(({ task_id }) => task_id), ...promotions, stranger, alike, ...rounds];
    for (const thread_id of threads) {
      const config = await save(saver, thread_id, aCheckpoint({ a: 1 }));
      await saver.putWrites(config, [["a", 1]], "task");
    }
    await saver.sweep();
    const kept = await Promise.all(threads.map(async (thread_id) => (await rowsOf(database, thread_id)).join("")));
    expect(kept).toEqual(["111", "000", "000", "111", "000", "000", "111", "111", "000", "000", "111"]);
  });

  test("many threads save at once and each reads its own", async () => {
    const threads = Array.from({ length: 25 }, aThread);
    await Promise.all(
      threads.map(async (thread_id) => {
        for (const version of [1, 2, 3]) {
          const config = await save(saver, thread_id, aCheckpoint({ own: [thread_id, version] }, version));
          await saver.putWrites(config, [["own", thread_id]], "task");
        }
      }),
    );
    const tuples = await Promise.all(threads.map((thread_id) => saver.getTuple({ configurable: { thread_id } })));
    expect(tuples.map((tuple) => tuple?.checkpoint.channel_values["own"])).toEqual(threads.map((id) => [id, 3]));
    expect(tuples.map((tuple) => tuple?.pendingWrites)).toEqual(threads.map((id) => [["task", "own", id]]));
  });

  test("large values, binary values and awkward text come back as they went in", async () => {
    const values = {
      text: "ü☃\u0000'\"\\".repeat(250_000),
      bytes: new Uint8Array(1_000_000).map((_, index) => index % 256),
      set: new Set([1, "two"]),
      nothing: null,
      __proto_: { nested: [{}, []] },
    };
    const config = await save(saver, aThread(), aCheckpoint(values));
    expect((await saver.getTuple(config))?.checkpoint.channel_values).toEqual(values);
  });

  test("a channel without a value stays without one", async () => {
    const checkpoint = { ...aCheckpoint({ a: 1 }), channel_versions: { a: 1, gone: 1 } };
    const config = await save(saver, aThread(), checkpoint);
    expect((await saver.getTuple(config))?.checkpoint.channel_values).toEqual({ a: 1 });
  });

  test("nothing is written for a thread that has ended", async () => {
    const [ended, live] = [aThread(), aThread()];
    const careful = new PrismaSaver(database, { isEnded: (thread_id) => thread_id === ended });
    for (const thread_id of [ended, live]) {
      const config = await save(careful, thread_id, aCheckpoint({ a: 1 }));
      await careful.putWrites(config, [["a", 1]], "task");
      expect(config.configurable).toMatchObject({ thread_id, checkpoint_ns: "" });
    }
    expect(await rowsOf(database, ended)).toEqual([0, 0, 0]);
    expect(await rowsOf(database, live)).toEqual([1, 1, 1]);
  });

  describe("pruning", () => {
    test("keeps the newest checkpoint of each namespace, its writes and the blobs it names", async () => {
      const thread_id = aThread();
      for (const ns of ["", "child:1"]) {
        for (const version of [1, 2, 3]) {
          const checkpoint = aCheckpoint({ moving: version, still: "same" }, version);
          checkpoint.channel_versions = { moving: version, still: 1 };
          const config = await save(saver, thread_id, checkpoint, ns);
          await saver.putWrites(config, [["moving", version]], "task");
        }
      }
      const newest = await saver.getTuple({ configurable: { thread_id } });
      expect(await rowsOf(database, thread_id)).toEqual([6, 8, 6]);
      expect(await saver.prune(thread_id)).toBe(true);
      expect(await rowsOf(database, thread_id)).toEqual([2, 4, 2]);
      expect(await saver.getTuple({ configurable: { thread_id } })).toEqual(newest);
    });

    test("leaves a graph that waits inside a subgraph able to go on", async () => {
      const State = Annotation.Root({
        log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
      });
      const Inner = Annotation.Root({ answer: Annotation<string>() });
      const child = new StateGraph(Inner)
        .addNode("prepare", () => ({}))
        .addNode("ask", () => ({ answer: interrupt<string, string>("may I?") }))
        .addEdge(START, "prepare")
        .addEdge("prepare", "ask")
        .addEdge("ask", END)
        .compile();
      const graph = new StateGraph(State)
        .addNode("before", () => ({ log: ["before"] }))
        .addNode("middle", async () => ({ log: [(await child.invoke({})).answer] }))
        .addNode("after", () => ({ log: ["after"] }))
        .addEdge(START, "before")
        .addEdge("before", "middle")
        .addEdge("middle", "after")
        .addEdge("after", END)
        .compile({ checkpointer: saver });
      const thread_id = aThread();
      const config = { configurable: { thread_id }, durability: "sync" } as const;
      await graph.invoke({ log: [] }, config);
      const [checkpoints] = await rowsOf(database, thread_id);
      await saver.prune(thread_id);
      const [left] = await rowsOf(database, thread_id);
      expect(left).toBeLessThan(checkpoints);
      expect(left).toBe(2);
      const [task] = (await graph.getState(config)).tasks;
      const id = task?.interrupts[0]?.id ?? "";
      const result = await graph.invoke(new Command({ resume: { [id]: "yes" } }), config);
      expect(result.log).toEqual(["before", "yes", "after"]);
    });
  });
}
