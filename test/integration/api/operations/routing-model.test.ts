// A routing model that does not answer is seen: in the task, in the metrics, in the inbox and in the diagnosis.
import { expect, test } from "vitest";
import type { ModelOptions } from "../../../simulators/ollama/model.ts";
import { check, cmd } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";
import { startRoutingModel } from "../../../support/routing-model.ts";

const FAILS = "echo connection refused >&2; exit 7";

async function openHouse(options: ModelOptions = {}, env: Readonly<Record<string, string>> = {}) {
  const model = await startRoutingModel(undefined, undefined, options);
  const engine = await openEngine({ env: { ...model.env, ROUTING_TIMEOUT_MS: "10000", ...env } });
  const runs = async (name: string, steps = [cmd(FAILS), check("test -d /")], over: object = {}) => {
    await engine.learn("deploy", engine.targetOf(name), steps);
    return engine.run(name, { delegation_mode: "known_only", ...over });
  };
  return {
    model,
    engine,
    runs,
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

test.each<[string, object | "fails" | "is silent", string | RegExp]>([
  [
    "did not answer in time",
    "is silent",
    / The routing model did not answer within \d+(\.\d)? s, so the step was not repeated\.$/,
  ],
  ["failed", "fails", " The routing model gave no usable answer (http_status: 500), so the step was not repeated."],
  [
    "wrote something else",
    { error: "none" },
    " The routing model gave no usable answer (wrong_shape), so the step was not repeated.",
  ],
  ["answered", { error_type: "unknown" }, ""],
])("the failure of a step says that the routing model %s: clients M6", async (_title, answer, sentence) => {
  await using house = await openHouse({}, answer === "is silent" ? { ROUTING_TIMEOUT_MS: "300" } : {});
  house.model.says(FAILS, answer);
  const { outcome } = await house.runs("failing");
  expect(outcome).toMatchObject({ reason_code: "step_failed", step_index: 0 });
  const ended = 'Step 0 failed with exit code 7; it said last: "connection refused".';
  if (typeof sentence === "string") expect(outcome?.message).toBe(ended + sentence);
  else expect(outcome?.message).toMatch(sentence);
});

test("a model that never answers shows in the metrics, the inbox and the diagnosis: clients M6", async () => {
  await using house = await openHouse();
  house.model.says(FAILS, "fails");
  const { engine } = house;
  expect((await engine.call("list_inbox", {})).notices).toEqual([]);
  for (const name of ["one", "two", "three"]) await house.runs(name);
  const notice =
    "0 of the last 3 questions to the routing model were answered (http_status: 500 3). The others took their fallback.";
  expect((await engine.call("list_inbox", {})).notices).toEqual([notice]);
  const { checks } = await engine.call("get_diagnosis", {});
  const found = checks.find(({ name }: { name: string }) => name === "routing model");
  expect(found).toMatchObject({ state: "falls_back", found: expect.stringContaining(notice) });
  expect(found.fix).toMatch(/raise ROUTING_TIMEOUT_MS/);
  expect(await engine.metrics.text()).toContain('orch_gate_fallbacks_total{question="error",reason="http_status"} 3');
});

test("a model is loaded when a task starts whose steps may need it, and nothing waits for it: clients M7", async () => {
  await using house = await openHouse({ load_ms: 5_000 });
  expect(house.model.model.loads).toEqual([]);
  expect(await house.runs("warming", [cmd("true"), check("test -d /")])).toMatchObject({ status: "ok" });
  await expect.poll(() => house.model.model.loads).toEqual([16_384]);
  expect(house.model.questions).toEqual([]);
});

test("the diagnosis says of the context what the questions use: /api/show is read once for all of them", async () => {
  const routes: Record<string, readonly [number, string]> = {};
  await using house = await openHouse({ routes, context_length: 12_288 });
  await house.runs("asking");
  const model_info = { "general.architecture": "a", "a.context_length": 2_048 };
  routes["/api/show"] = [200, JSON.stringify({ capabilities: ["completion"], model_info })];
  const { checks } = await house.engine.call("get_diagnosis", {});
  const foundOf = (model: string) => checks.find(({ name }: { name: string }) => name === model)?.found;
  expect(foundOf("routing model")).toContain("context 12288 of 12288 tokens");
  expect(foundOf("agent model")).toContain("its context holds 12288 tokens");
  expect(house.model.model.looks.filter(({ route }) => route === "/api/show")).toHaveLength(1);
});

test("a task of checks only asks nothing, and loads nothing", async () => {
  await using house = await openHouse();
  expect(await house.runs("checking", [check("test -d /")])).toMatchObject({ status: "ok" });
  expect(house.model.model.looks).toEqual([]);
});
