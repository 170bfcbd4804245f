// Answers of a routing model that are not exactly one of the expected objects become the fallback, with the reason.
import { expect, test } from "vitest";
import { createOllamaGate } from "../../../src/gate/ollama-gate.ts";
import { answers, startOllama } from "../../simulators/ollama/ollama.ts";
import { smallModel } from "../../support/served-models.ts";

const gateOn = (base_url: string, timeout_ms: number) => createOllamaGate({ model: smallModel(base_url), timeout_ms });
const anError = { command: "curl -f http://x", output: "boom" };
const aCommand = { command: "systemctl restart db", categories: ["restart", "delete"] };

const TWICE = "wrong_shape: a field is there twice";

const unusableAnswers: [string, string | object, string][] = [
  ["is prose", "It is transient.", "not_json"],
  ["is empty", "", "not_json"],
  ["is JSON in a fence", '```json\n{"error_type":"transient"}\n```', "not_json"],
  ["is two objects", '{"error_type":"transient"}{"error_type":"transient"}', "not_json"],
  ["is a bare word", '"transient"', "wrong_shape"],
  ["is null", "null", "wrong_shape"],
  ["is a list", [{ error_type: "transient" }], "wrong_shape"],
  ["is another error type", { error_type: "permanent" }, "wrong_shape"],
  ["has another key", { error_type: "transient", reason: "time-out" }, "wrong_shape"],
  ["has a reserved key", '{"error_type":"transient","__proto__":{}}', "wrong_shape"],
  ["is the answer to the other question", { requires_approval: false }, "wrong_shape"],
  ["says two things", '{"error_type":"unknown","error_type":"transient"}', TWICE],
  ["says the same twice", '{"error_type":"transient","error_type":"transient"}', TWICE],
];

test.each(unusableAnswers)("an error answer that %s is not used", async (_title, content, reason) => {
  await using fake = await startOllama(answers(content));
  const reply = await gateOn(fake.base_url, 5_000).classifyError(anError);
  expect(reply).toMatchObject({ answer: { error_type: "unknown" }, fallback: reason });
  await expect.poll(fake.openSockets).toBe(0);
});

const unusableApprovals: [string, string | object, string][] = [
  ["says yes and then no: promises 2.9", '{"requires_approval":true,"requires_approval":false}', TWICE],
  ["says no twice", '{"requires_approval":false,"requires_approval":false}', TWICE],
  ["says yes with an escape and then no", '{"requires\\u005fapproval":true,"requires_approval":false}', TWICE],
  [
    "names two categories",
    '{"requires_approval":true,"matched_category":"restart","matched_category":"delete"}',
    TWICE,
  ],
  ["says a thing of a field within twice", '{"requires_approval":false,"why":{"a":1,"a":2}}', TWICE],
  ["says no with a number", { requires_approval: 0 }, "wrong_shape"],
  ["says no with null", { requires_approval: null }, "wrong_shape"],
  ["says no in a list", { requires_approval: [false] }, "wrong_shape"],
  ["is a list of one answer", [{ requires_approval: false }], "wrong_shape"],
  ["has a reserved key", '{"requires_approval":false,"__proto__":{"requires_approval":true}}', "wrong_shape"],
  ["is only a reserved key", '{"__proto__":{"requires_approval":false}}', "wrong_shape"],
  ["goes on after its end", '{"requires_approval":false} {"requires_approval":true}', "not_json"],
  ["goes on with prose", '{"requires_approval":false} because it only reads', "not_json"],
  ["names no category", { requires_approval: true }, "wrong_shape"],
  ["names an empty category", { requires_approval: true, matched_category: "" }, "wrong_shape"],
  [
    "names a category that is not in the list",
    { requires_approval: true, matched_category: "reboot" },
    "unknown_category",
  ],
  ["names a category in other letters", { requires_approval: true, matched_category: "Restart" }, "unknown_category"],
  ["asks for none and names a category", { requires_approval: false, matched_category: "restart" }, "wrong_shape"],
  ["says no in a string", { requires_approval: "false" }, "wrong_shape"],
];

test.each(unusableApprovals)("an approval answer that %s means approval", async (_title, content, reason) => {
  await using fake = await startOllama(answers(content));
  const reply = await gateOn(fake.base_url, 5_000).matchCategory(aCommand);
  expect(reply).toMatchObject({ answer: { requires_approval: true }, fallback: reason });
  expect(reply.answer).not.toHaveProperty("matched_category");
});
