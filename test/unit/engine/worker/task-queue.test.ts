// Whose turn it is: the target of a task under each of its names, a free slot, and the way that is given to other servers.
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TaskColumns } from "../../../../src/domain/task.ts";
import type { TaskRef } from "../../../../src/engine/worker/task-queue.ts";
import {
  createTargetHolds,
  createTargetLocks,
  createTaskQueue,
  type TargetLocks,
  type TaskQueueDeps,
} from "../../../../src/engine/worker/task-queue.ts";
import type { Commit } from "../../../../src/ports.ts";
import { AT, aContract } from "../../../support/builders.ts";
import { manualTimer, settled } from "../../../support/manual-timer.ts";

const WEB = "service=web";
const taskOf = (task_id: string, target_signature = WEB, intent = "restart"): TaskRef => ({
  task_id,
  contract: aContract({ task_id, intent }),
  intent,
  target_signature,
  backend: "local",
  runs_on: [],
  needs_level: 1,
});
const row = (task_id: string, owner: string | null = null): TaskColumns => ({
  ...taskOf(task_id),
  status: "accepted",
  owner,
  lease_expires_at: null,
  created_at: AT,
});

type Options = Partial<TaskQueueDeps> & {
  readonly are_many?: boolean;
  /** The unfinished tasks of the target in the database. */
  readonly rows?: readonly TaskColumns[];
  /** The task that has the target in the database. */
  readonly holder?: string;
  readonly held?: readonly string[];
};

async function scene(options: Options = {}) {
  const { are_many = false, rows: first = [], holder = null, held = [], ...over } = options;
  let rows = first;
  let has = holder;
  const manual = manualTimer();
  const locks = createTargetLocks();
  const asked: { readonly of: string; readonly said: () => void }[] = [];
  const recorded: TargetLocks = {
    ...locks,
    acquire: (signature, task_id, goes_first) => {
      const acquired = locks.acquire(signature, task_id, goes_first);
      for (const { of, said } of asked) if (of === `${task_id} ${signature}`) said();
      return acquired;
    },
  };
  const commits: Commit[] = [];
  const retried: string[] = [];
  const store = {
    listTaskColumns: async () => [...rows],
    listHolds: async () => (has === null ? [] : [{ target_signature: WEB, task_id: has }]),
    commit: async (commit: Commit) => {
      commits.push(commit);
      return { ok: true as const, events: [] };
    },
  };
  const servers = { are_many };
  const holds = createTargetHolds({ store, servers, locks });
  const deps = { store, servers, locks: recorded, holds, holdBack: { keeps: () => false }, concurrency: 9 };
  const queue = createTaskQueue(
    { ...deps, timer: manual.timer, ...over },
    {
      isHeld: (task_id) => held.includes(task_id),
      retry: async ({ task_id }) => void retried.push(task_id),
    },
  );
  await queue.look();
  const ran: string[] = [];
  return {
    queue,
    locks,
    commits,
    retried,
    ran,
    pending: manual.pending,
    fire: manual.fire,
    /** What is in the database from now on. */
    changeTo: async (now: { readonly rows?: readonly TaskColumns[]; readonly holder?: string | null }) => {
      rows = now.rows ?? rows;
      has = now.holder === undefined ? has : now.holder;
      await queue.look();
    },
    /** Resolves once the task has begun. */
    begin: (task: TaskRef, is_recovery = false) =>
      new Promise<void>((resolve) =>
        queue.enqueue(task, { is_recovery }, async () => {
          ran.push(task.task_id);
          resolve();
        }),
      ),
    /** Resolves once the task queues for the target, or has it. */
    queued: (task_id: string, signature: string) =>
      new Promise<void>((said) => asked.push({ of: `${task_id} ${signature}`, said })),
  };
}

describe("the slots", () => {
  const slots = async (callbacks = true) => {
    const waiting: string[] = [];
    const places: boolean[] = [];
    const said = {
      onWaiting: async ({ task_id }: TaskRef) => void waiting.push(task_id),
      onPlaces: (is_free: boolean) => void places.push(is_free),
    };
    const it = await scene({ concurrency: 1, ...(callbacks && said) });
    const ends: (() => void)[] = [];
    const begin = async (task_id: string) => {
      it.queue.enqueue(taskOf(task_id, ""), { is_recovery: false }, () => {
        it.ran.push(task_id);
        return new Promise((end) => ends.push(end));
      });
      await settled();
    };
    const endNext = async () => {
      ends.shift()?.();
      await settled();
    };
    return { ...it, waiting, places, begin, endNext };
  };

  test("say which task waits for one, and whether one is free", async () => {
    const it = await slots();
    expect(it.queue.isFull()).toBe(false);
    await it.begin("a");
    expect([it.queue.isFull(), it.waiting, it.places]).toEqual([true, [], [false]]);
    await it.begin("b");
    expect([it.ran, it.waiting, it.places]).toEqual([["a"], ["b"], [false, false]]);
    await it.endNext();
    expect([it.ran, it.places.at(-1)]).toEqual([["a", "b"], false]);
    await it.endNext();
    expect([it.queue.isFull(), it.places.at(-1)]).toEqual([false, true]);
    await it.queue.onIdle();
  });
});

describe("a task of several servers", () => {
  const OLDER = [row("older"), row("own")];
  const many = { are_many: true, rows: OLDER };

  test("gives no way to an older one that this server has set aside", async () => {
    const it = await scene({ ...many, holder: "another" });
    it.queue.setAside(taskOf("older"));
    await it.changeTo({ holder: null });
    const begun = it.begin(taskOf("own"), true);
    await settled();
    expect([it.ran, it.pending()]).toEqual([["own"], []]);
    await begun;
  });

  test("is tried again when the one that had its target is released here", async () => {
    const it = await scene({ ...many, holder: "before" });
    it.queue.setAside(taskOf("own"));
    expect([it.queue.keepOut(taskOf("own")), it.retried]).toEqual([true, []]);
    it.queue.release(taskOf("before"));
    await settled();
    expect(it.retried).toEqual(["own"]);
  });

  test.each<[string, string, string, boolean]>([
    ["waits for itself where it has the target and another one has its place here", "own", "other", true],
    ["has its place where the target is its own", "own", "own", false],
    ["waits for the other one where that has the target", "other", "other", false],
  ])("%s", async (_what, holder, here, waits) => {
    const it = await scene({ are_many: true, holder });
    await it.locks.acquire(WEB, here);
    expect(it.queue.waitsForItself(taskOf("own"))).toBe(waits);
    it.queue.goFirst(taskOf("own"));
    expect(it.locks.holderOf(WEB)).toBe(holder === "own" ? "own" : "other");
  });
});

describe("a target without a run", () => {
  const paused = { ...taskOf("paused"), status: "need_input" } as const;

  test("is a row of the database where there are several servers", async () => {
    const it = await scene({ are_many: true });
    await it.queue.keep(paused);
    expect(it.commits).toMatchObject([
      {
        thread_id: "paused",
        changes: [{ on: "task" }, { on: "target_held", target_signature: WEB, task_id: "paused" }],
      },
    ]);
    expect(it.locks.holderOf(WEB)).toBeNull();
  });

  test("is not kept for a task that shares its target", async () => {
    const it = await scene();
    await it.queue.keep({ ...taskOf("looks", WEB, "triage"), status: "need_input" });
    expect(it.locks.holderOf(WEB)).toBeNull();
  });
});

describe("a target that is a directory", () => {
  let root = "";
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "task-queue-")));
    await mkdir(join(root, "stack"));
    await symlink(join(root, "stack"), join(root, "link"));
  });
  afterAll(() => rm(root, { recursive: true }));
  const named = (name: string) => `compose_dir=${join(root, name)};service=web`;

  test("is one target under both of its names, and is freed under both", async () => {
    const it = await scene();
    const [direct, linked] = [taskOf("direct", named("stack")), taskOf("linked", named("link"))];
    await it.begin(direct);
    const both = it.queued("linked", named("stack"));
    const begun = it.begin(linked);
    await both;
    await settled();
    expect(it.ran).toEqual(["direct"]);
    it.queue.release(direct);
    await begun;
    expect([named("stack"), named("link")].map(it.locks.holderOf)).toEqual(["linked", "linked"]);
    it.queue.release(linked);
    expect([named("stack"), named("link")].map(it.locks.holderOf)).toEqual([null, null]);
  });

  test("is kept under both of its names for a task that does not run", async () => {
    const it = await scene();
    await it.queue.keep({ ...taskOf("paused", named("link")), status: "need_input" });
    expect([named("stack"), named("link")].map(it.locks.holderOf)).toEqual(["paused", "paused"]);
  });

  test("is not taken under its other name by a task that was released while the directory was looked up", async () => {
    const it = await scene();
    const task = taskOf("released", named("link"));
    const begun = it.begin(task);
    it.queue.release(task);
    await begun;
    expect(it.locks.holderOf(named("stack"))).toBeNull();
  });
});
