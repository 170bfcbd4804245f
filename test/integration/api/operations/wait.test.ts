import { expect, test } from "vitest";
import { z } from "zod";
import { boundWaits, READ, WaitSeconds } from "../../../../src/api/operations/operation.ts";
import { openEngine } from "../../../support/engine.ts";
import { operation } from "../../../support/some-operations.ts";

const CALLER = { token_id: "supervisor", signal: new AbortController().signal };

/** Two operations that share one limit. Each resolves, when the test ends it, with the wait that it was granted. */
function bounded(most: number) {
  const ends: ((error?: Error) => void)[] = [];
  const waitOn = (name: string) =>
    operation({
      name,
      summary: name,
      method: "GET",
      path: `/${name}`,
      scope: "read",
      hints: READ,
      input: z.strictObject({ wait_seconds: WaitSeconds }),
      output: z.number(),
      handle: ({ wait_seconds }) =>
        wait_seconds === 0
          ? Promise.resolve(0)
          : new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve(wait_seconds)))),
    });
  const [one, other] = ["one", "other"].map(waitOn).map(boundWaits(most));
  if (one === undefined || other === undefined) throw new Error("map has lost an operation");
  const ask = (found: typeof one, wait_seconds: number): Promise<unknown> => found.handle({ wait_seconds }, CALLER);
  return { one, other, ask, ends };
}

test("a wait over the limit of all operations returns the current state at once", async () => {
  const { one, other, ask, ends } = bounded(2);
  const waits = [ask(one, 30), ask(other, 20)];
  expect(await Promise.all([ask(one, 30), ask(other, 30)])).toEqual([0, 0]);
  expect(await ask(one, 0), "who does not wait is not counted").toBe(0);
  for (const end of ends) end();
  expect(await Promise.all(waits)).toEqual([30, 20]);
});

test("a wait that has ended, also with an error, makes room for another", async () => {
  const { one, ask, ends } = bounded(1);
  const first = ask(one, 30);
  ends[0]?.(new Error("the database is away"));
  await expect(first).rejects.toThrow("away");
  const second = ask(one, 10);
  ends[1]?.();
  expect(await second).toBe(10);
});

test("at most 500 calls of the real operations wait", async () => {
  await using engine = await openEngine();
  const gone = new AbortController();
  const wait = () => engine.call("list_messages", { wait_seconds: 50 }, { ...CALLER, signal: gone.signal });
  const waits = Array.from({ length: 500 }, () => wait().then(() => "waited"));
  const beyond = wait().then(() => "was answered at once");
  expect(await Promise.race([...waits, beyond])).toBe("was answered at once");
  gone.abort();
  expect(new Set(await Promise.all(waits))).toEqual(new Set(["waited"]));
});
