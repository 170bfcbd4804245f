import { expect, test } from "vitest";
import { toolAnswerOf } from "../../../src/mcp-client/tool-answer.ts";

const text = (...texts: string[]) => ({ content: texts.map((one) => ({ type: "text", text: one })) });
const IMAGE = { type: "image", data: "x" };
const UNTYPED = { content: [{ text: "x" }], isError: true };
const nested = (levels: number) => JSON.parse(`{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`);

test.each<[string, unknown]>([
  ["with content", text("done")],
  ["with nothing", {}],
  ["with facts about it", { content: [], _meta: { b: 1, a: 2 }, structuredContent: { z: 1 } }],
  ["with what looks like an error, and more", text('{"error":"x","id":1}')],
  ["with two texts", text('{"error":"x"}', "y")],
  ["with an error that is no text", text('{"error":{"code":1}}')],
  ["with an error in a list", text('[{"error":"x"}]')],
  ["with text that begins like JSON", text("{no")],
  ["with odd numbers and keys", { "2": 1e21, "1": -0, "": 0.1, "a b": "\u2028\ud800" }],
  ["that is text", "done"],
  ["that is a list", [1, 2]],
  ["that is null", null],
  ["with 64 levels", nested(64)],
])("A result %s is a success, kept as it is", (_what, result) => {
  expect(toolAnswerOf({ is: "result", result })).toEqual({ ok: true, stdout: JSON.stringify(result) });
});

test.each<[string, unknown, string]>([
  ["with an error", { ...text("a", "b"), isError: true }, "a\nb"],
  ["with an error without a word", { content: [], isError: true }, '{"content":[],"isError":true}'],
  ["with an error and other content", { content: [IMAGE, ...text("a").content], isError: true }, "a"],
  ["with a soft error", text('{"error":"no note"}'), "no note"],
  ["with a soft error after blanks", text(' \n{"error":"größe 😀"}'), "größe 😀"],
  ["that asks for input", { resultType: "input_required" }, "the tool asks for input, which is not supported"],
  ["with content that is no list", { content: "odd", isError: true }, '{"content":"odd","isError":true}'],
  ["with content without a type", UNTYPED, JSON.stringify(UNTYPED)],
  ["with 65 levels", nested(65), "the answer is nested deeper than 64 levels"],
])("A result %s is a failure of a tool that has run", (_what, result, stderr) => {
  expect(toolAnswerOf({ is: "result", result })).toEqual({ ok: false, stderr, executed: true, timed_out: false });
});

test.each<[string, unknown, string]>([
  ["isError as text", { ...text("a"), isError: "true" }, "isError is not true or false"],
  ["isError as the text false", { ...text("a"), isError: "false" }, "isError is not true or false"],
  ["isError as 0", { ...text("a"), isError: 0 }, "isError is not true or false"],
  ["isError as a list", { ...text("a"), isError: [false] }, "isError is not true or false"],
  ["isError as an object", { ...text("a"), isError: {} }, "isError is not true or false"],
  ["resultType as a number", { ...text("a"), resultType: 1 }, "resultType is not text"],
])("A result with %s does not say what the tool did: promises 2.9", (_what, result, words) => {
  const stderr = `in its answer ${words}; whether the tool took effect is not known`;
  expect(toolAnswerOf({ is: "result", result })).toEqual({ ok: false, stderr, executed: "unknown", timed_out: false });
});

test.each<[string, unknown]>([
  ["by the older revision", { task: { taskId: "t1", status: "working" } }],
  ["by the newer revision", { resultType: "task", taskId: "t1", status: "working" }],
])("A result that only says that a task has begun, %s, does not say what the tool did", (_what, result) => {
  expect(toolAnswerOf({ is: "result", result })).toMatchObject({ ok: false, executed: "unknown" });
});

test("An answer that is too large to be kept does not say what the tool did", () => {
  expect(toolAnswerOf({ is: "too_large", message: "too much" })).toMatchObject({ ok: false, executed: "unknown" });
});

test.each<[number, boolean | "unknown"]>([
  ...[-32_700, -32_600, -32_601, -32_602, -32_020, -32_022].map((code): [number, boolean] => [code, false]),
  ...[-32_603, -32_000, -32_001, -32_042, 7].map((code): [number, "unknown"] => [code, "unknown"]),
])("A JSON-RPC error with the code %i: the tool has run is %s (promises 1.7)", (code, executed) => {
  expect(toolAnswerOf({ is: "rpc_error", code, message: "no" })).toMatchObject({ ok: false, stderr: "no", executed });
});

test.each<[number, boolean | "unknown"]>([
  ...[300, 304, 400, 401, 403, 404, 405, 413, 422].map((status): [number, boolean] => [status, false]),
  ...[408, 429, 500, 501, 502, 503, 504, 520, 530].map((status): [number, "unknown"] => [status, "unknown"]),
])("A refusal with status %i: the tool has run is %s (promises 1.3)", (status, executed) => {
  expect(toolAnswerOf({ is: "http_error", status, body: "no" })).toMatchObject({
    stderr: `HTTP ${status} no`,
    executed,
  });
});

test.each<[string, boolean | "unknown"]>([
  ["Invalid arguments for tool charge: amount is required", false],
  ["Tool charge not found", false],
  ["Output validation error: 'id' is a required property", "unknown"],
  ["Tool charge has an output schema but no structured content was provided", "unknown"],
  ["Invalid structured content for tool charge", "unknown"],
  ["the result does not match its schema", "unknown"],
  ["Request timed out", "unknown"],
])("A refusal of parameters that says %j: the tool has run is %s (promises 1.8)", (message, executed) => {
  expect(toolAnswerOf({ is: "rpc_error", code: -32_602, message })).toMatchObject({ executed });
});

test.each<[string, boolean | "unknown"]>([
  ["no such account", true],
  ["connect ECONNREFUSED 10.0.0.1:80", true],
  ["disk full", true],
  ["upstream: socket hang up", "unknown"],
  ["fetch failed", "unknown"],
  ["the card was declined", true],
  ["timed out after 2.0s", "unknown"],
  ["Request timed out", "unknown"],
  ["context deadline exceeded", "unknown"],
  ["upstream: connection reset by peer", "unknown"],
  ["HTTP 502 Bad Gateway", "unknown"],
  ["the outcome of the charge is not known", "unknown"],
])("An error of the tool that says %j: the tool has run is %s (promises 1.8)", (words, executed) => {
  expect(toolAnswerOf({ is: "result", result: { ...text(words), isError: true } })).toMatchObject({ executed });
});

test("A long refusal is shown by its head", () => {
  const answer = toolAnswerOf({ is: "http_error", status: 400, body: "x".repeat(10_000) });
  expect(answer).toMatchObject({ stderr: `HTTP 400 ${"x".repeat(2_000)}` });
});
