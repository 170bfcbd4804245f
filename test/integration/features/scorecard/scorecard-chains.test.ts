// The scorecard over journals that were changed in the database: no target is met, and T2 names the task.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashOfText } from "../../../../src/domain/journal.ts";
import { check } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

let engine: Engine;
let sop_id: string;
beforeAll(async () => {
  engine = await openEngine();
  ({ sop_id } = await engine.learn("deploy", engine.targetOf("web"), [check("test -d /")]));
  for (let nth = 0; nth < 6; nth += 1) {
    const task_id = taskOf(nth);
    await engine.run(task_id, { delegation_mode: "known_only", target: engine.targetOf("web") });
    await engine.call("record_verification", { task_id, verified: true, source: "me" });
  }
});
afterAll(() => engine[Symbol.asyncDispose]());

const taskOf = (nth: number) => `deploy-${nth}`;
const rows = () => engine.database.client.journalEvent;
const at = (thread_id: string, seq: number) => ({ thread_id_seq: { thread_id, seq } });
type Target = { readonly id: string; readonly state: string; readonly value: number; readonly message: string };

async function targets(on = engine): Promise<ReadonlyMap<string, Target>> {
  const { targets: found } = await on.call("get_scorecard", {});
  return new Map(found.map((target: Target) => [target.id, target]));
}

/** Within the pause after a look an answer may be that of the look before. */
const settled = async (id: string, state: string, on = engine): Promise<Target> => {
  await expect.poll(async () => (await targets(on)).get(id)?.state, { timeout: 20_000, interval: 50 }).toBe(state);
  const target = (await targets(on)).get(id);
  if (target === undefined) throw new Error(`there is no ${id}`);
  return target;
};

/** What is done to a thread, which is as before afterwards. */
async function changed(thread_id: string, change: () => Promise<unknown>, look: () => Promise<void>): Promise<void> {
  const before = await rows().findMany({ where: { thread_id } });
  try {
    await change();
    await look();
  } finally {
    await rows().deleteMany({ where: { thread_id } });
    await rows().createMany({ data: before });
  }
}

const edited = async (thread_id: string, seq: number, from: string, to: string, with_hash = false) => {
  const row = await rows().findUniqueOrThrow({ where: at(thread_id, seq) });
  const body = row.body.replace(from, to);
  expect(body).not.toBe(row.body);
  const kind = row.kind as Parameters<typeof hashOfText>[0]["kind"];
  const hash = with_hash ? hashOfText({ ...row, kind }, body) : row.hash;
  await rows().update({ where: at(thread_id, seq), data: { body, hash } });
};
const removed = (where: object) => rows().deleteMany({ where });

describe("promises 3.10: an entry of a journal", () => {
  test.each([
    ["was edited", 0, (id: string) => edited(id, 1, "deploy", "delete"), /task deploy-0 from entry 1 on/],
    [
      "was edited with a fresh hash of its own",
      1,
      (id: string) => edited(id, 1, "deploy", "delete", true),
      /task deploy-1 from entry 2 on/,
    ],
    [
      "has another time",
      2,
      (id: string) => rows().update({ where: at(id, 2), data: { at: "2026-01-01T00:00:00.000Z" } }),
      /task deploy-2 from entry 2 on/,
    ],
    [
      "is missing in the middle",
      3,
      (id: string) => removed({ thread_id: id, seq: 2 }),
      /task deploy-3 from entry 2 on/,
    ],
    [
      "is missing at the end, with those after the second",
      4,
      (id: string) => removed({ thread_id: id, seq: { gt: 2 } }),
      /task deploy-4, whose end is missing/,
    ],
    [
      "and every other one is missing",
      5,
      (id: string) => removed({ thread_id: id }),
      /task deploy-5, whose end is missing/,
    ],
  ])(
    "%s: T2 is missed and names the task, and nothing is met until it is mended",
    async (_what, nth, change, names) => {
      expect(await settled("T2", "met")).toMatchObject({ value: 0 });
      expect(await settled("T1", "met")).toMatchObject({ value: 1 });
      const task_id = taskOf(nth);
      await changed(
        task_id,
        () => change(task_id),
        async () => {
          const broken = await settled("T2", "missed");
          expect(broken).toMatchObject({ value: 1, message: expect.stringMatching(names) });
          for (const { id, state } of (await targets()).values()) expect([id, state]).not.toEqual([id, "met"]);
        },
      );
      expect(await settled("T2", "met")).toMatchObject({ value: 0 });
      await settled("T1", "met");
    },
  );

  test("was edited in the journal of a promotion", async () => {
    const thread_id = `promotion/${sop_id}`;
    await changed(
      thread_id,
      () => edited(thread_id, 1, "taught without a task", "taught"),
      async () => {
        expect((await settled("T2", "missed")).message).toContain(`the journal of ${thread_id} from entry 1 on`);
      },
    );
    await settled("T2", "met");
  });

  test("was edited while no server ran, and was counted before", async () => {
    await engine.shutDown();
    const { directory } = engine;
    engine = await openEngine({ directory });
    await edited(taskOf(0), 1, "deploy", "delete");
    await engine.shutDown();
    await using after = await openEngine({ directory });
    expect((await settled("T2", "missed", after)).message).toContain("task deploy-0 from entry 1 on");
  });
});
