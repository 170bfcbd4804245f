import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { contextOf, describeModel, loadModel, type ShownModel } from "../../../src/ollama/served-model.ts";

const never = () => new Promise<ShownModel>(() => undefined);
const model = (shown: () => Promise<ShownModel>) => ({
  ...describeModel({ name: "small:1b", base_url: "http://127.0.0.1:1" }),
  shown,
});

test("the context of a model leaves no listener on the signal", async () => {
  const { signal } = new AbortController();
  await contextOf(
    model(async () => ({ is: "unknown" })),
    signal,
  );
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a signal that is aborted already, or while the description is read, ends the wait for it", async () => {
  const reason = new Error("stopped");
  await expect(contextOf(model(never), AbortSignal.abort(reason))).rejects.toBe(reason);
  const stop = new AbortController();
  const waiting = contextOf(model(never), stop.signal);
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test("a load ends with its signal while the description is read", async () => {
  const stop = new AbortController();
  const loading = loadModel(model(never), stop.signal);
  stop.abort();
  expect(await loading).toBeUndefined();
});
