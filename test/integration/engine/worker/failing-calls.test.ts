// Fails each call of the store in turn while a task lives: the task goes on, nothing runs twice, and no rejection is left unhandled.
import { afterAll, beforeAll, expect, test } from "vitest";
import { OrchError } from "../../../../src/domain/errors.ts";
import type { Store } from "../../../../src/ports.ts";
import { check, cmd } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";
import type { FaultyStore } from "../../../support/faulty-store.ts";

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => void process.off("unhandledRejection", note));

/** A call that fails, and those that are under way beside it. */
const LOST = 3;

function failingCalls() {
  let calls = 0;
  let from = Number.POSITIVE_INFINITY;
  const names: string[] = [];
  const failing =
    <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      calls += 1;
      if (calls < from || calls >= from + LOST) return call(...args);
      names.push(name);
      return Promise.reject(
        new OrchError("database_unusable", "the database did not do what was asked: connection lost"),
      );
    };
  const storeOn = (store: Store): Store =>
    Object.fromEntries(Object.entries(store).map(([name, call]) => [name, failing(name, call)])) as unknown as Store;
  return {
    faults: { storeOn } as FaultyStore,
    begin: (nth: number): void => {
      calls = 0;
      from = nth;
      names.length = 0;
    },
    /** Nothing fails any more; returns how many calls there were. */
    end: (): number => {
      from = Number.POSITIVE_INFINITY;
      return calls;
    },
    failed: (): readonly string[] => names,
  };
}

test("a call of the store that fails ends no server, and no step runs twice [promises 5.2]", async () => {
  const failing = failingCalls();
  await using engine = await openEngine({ faults: failing.faults, env: { BEFORE_LOOK: "on", CHECK_LOOKS: "on" } });
  const live = async (nth: number): Promise<number> => {
    const name = `fails-at-${nth}`;
    await engine.plant("deploy", engine.targetOf(name), [cmd(`echo x >> ${name}`), check(`test -f ${name}`)]);
    failing.begin(nth);
    await engine.call("submit_task", { ...engine.contract(name), wait_seconds: 30 }).catch(ignoreUnusable);
    const stored = async () => engine.call("get_task", { task_id: name, wait_seconds: 5 }).catch(ignoreUnusable);
    await expect
      .poll(async () => (await stored())?.status ?? "missing", { timeout: 60_000 })
      .toMatch(/^(ok|need_input|missing)$/);
    const calls = failing.end();
    const { status } = (await stored()) ?? { status: "missing" };
    const ran = engine.linesOf(name).length;
    expect([status, ran], failing.failed().join()).toEqual([status, status === "ok" ? 1 : expect.toBeOneOf([0, 1])]);
    return calls;
  };
  const calls = await live(Number.POSITIVE_INFINITY);
  expect(calls).toBeGreaterThan(8);
  for (let nth = 1; nth <= calls; nth++) await live(nth);
  expect(unhandled).toEqual([]);
});

/** What was refused is not stored, or is found later. */
function ignoreUnusable(error: unknown): null {
  if (error instanceof OrchError && ["database_unusable", "task_not_found"].includes(error.code)) return null;
  throw error;
}
