import { expect, test } from "vitest";
import { fault, knownFault, reasonOf } from "../../../src/ollama/bounded-ollama.ts";

test.each([
  [fault("not_json"), "not_json"],
  [fault("http_status", 503), "http_status: 503"],
  [new DOMException("late", "TimeoutError"), "timeout"],
  [Object.assign(new Error("connect hunter2"), { code: "ECONNREFUSED" }), "unreachable: ECONNREFUSED"],
  [new TypeError("hunter2"), "unreachable: TypeError"],
  [Object.assign(new Error("x"), { code: "hunter2: 5" }), "unreachable: Error"],
  [Object.assign(new Error("x"), { name: "hunter 2" }), "unreachable"],
  [new Error("hunter2", { cause: "another code" }), "unreachable: Error"],
  ["hunter2", "unreachable"],
  [undefined, "unreachable"],
])("the reason of %s is %j, and quotes nothing foreign", (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});

test.each([
  ['{"error":"registry.ollama.ai/library/gemma3:4b does not support tools"}', "no_tools"],
  ["the input length exceeds the context length", "truncated"],
  ["the request exceeds the available context size", "truncated"],
  ["error parsing tool call: raw='{\"command\":', err=unexpected end of JSON input", "bad_call"],
  ["failed to parse JSON: invalid character 'l' looking for beginning of value", "bad_call"],
])("an error of Ollama with %j is the fault %s, without its words", (words, code) => {
  const known = knownFault(words);
  expect(known).toMatchObject({ cause: code });
  expect(reasonOf(known)).toMatch(new RegExp(`^${code}(: [a-z ]+)?$`));
});

test("an error that Ollama is not known for has no meaning of its own", () => {
  expect(knownFault("llama runner process has terminated: hunter2")).toBe(null);
});
