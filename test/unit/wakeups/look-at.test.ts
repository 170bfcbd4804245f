// One look that a wakeup asks for.
import { expect, test } from "vitest";
import { type Handle, type Looked, lookAt } from "../../../src/wakeups/port.ts";

async function looked(handle: Handle, limit_ms?: number) {
  const lines: string[] = [];
  const write = (details: object, message: string) => void lines.push(`${message} ${JSON.stringify(details)}`);
  const log = { debug: write, info: write, warn: write, error: write };
  return { result: await lookAt("a", handle, log, limit_ms), lines };
}

test.each<Looked>(["done", "again"])("a look gives what its handle says: %s", async (says) => {
  expect(await looked(async () => says)).toEqual({ result: says, lines: [] });
});

test("a handle that throws is tried again, and logged", async () => {
  const { result, lines } = await looked(() => Promise.reject(new Error("no")));
  expect([result, lines]).toEqual(["again", [expect.stringContaining('"id":"a"')]]);
});

test("a handle that does not end is left, tried again, and logged: those after it go on", async () => {
  const { result, lines } = await looked(() => new Promise(() => undefined), 20);
  expect([result, lines]).toEqual(["again", [expect.stringContaining("does not end")]]);
});
