import fc from "fast-check";
import { expect, test } from "vitest";
import { readReply } from "../../../../../src/features/agents/model/read-reply.ts";
import { cpuTimeOf } from "../../../../support/cpu-time.ts";
import { formats, otherFormats, tools } from "./written-calls.ts";

const SIZE = 256 * 1024;
const CALL = '{"name": "shell", "arguments": {"command": "ls"}}';
const hostile = [
  '<tool_call>{"a":',
  '<tool_call>{"',
  '{"a":\n',
  "[\n",
  '{"a":[{"b":"\n',
  '<tool_call>{"a":["<tool_call>{", ":1,", ":1,"]} ',
  "<function=shell><parameter=a>",
  "<function=shell>",
  "</parameter>",
  "<think>",
  "</think>",
  "<think></think>",
  "[TOOL_CALLS]",
  "[TOOL_CALLS]shell",
  "[TOOL_CALLS]shell[CALL_ID]a",
  "```",
  "```json\n",
  "```json\n{",
  " ",
  "\n",
  "\t\n",
  "Action: shell\nAction Input: ",
  "Action: ",
  "<｜tool▁calls▁begin｜>",
  "<｜tool▁call▁begin｜>shell",
  "<|channel|>analysis<|message|>",
  "<|channel|>",
  "<|",
  "<tool",
  "{",
  "}",
  "[[",
  "[{",
  '"',
  "\\",
  '{"\\',
  "<tool_call>[{}",
  '{"name":"shell","arguments":{}}\n',
  '<tool_call>{"name":"shell","arguments":{}}',
  `[${" ".repeat(200)}`,
  "a",
  "漢",
];

// Linear time: one that takes 16 times as long for a megabyte takes more than this for a quarter of it.
test.each(hostile)("256 KiB of %j are read at once", (piece) => {
  const written = piece.repeat(Math.ceil(SIZE / piece.length));
  const cpu_ms = cpuTimeOf(() => {
    const { text, calls } = readReply(written, { messages: [], tools });
    expect(text.length).toBeLessThanOrEqual(2 * SIZE);
    expect(calls.every(({ name }) => name === "shell")).toBe(true);
  });
  expect(cpu_ms).toBeLessThan(1_000);
});

test.each(hostile)("256 KiB of %j in the output of a tool are compared with a call at once", (piece) => {
  const data = [piece.repeat(Math.ceil(SIZE / piece.length))];
  const cpu_ms = cpuTimeOf(() => void readReply(CALL, { messages: [], tools, data }));
  expect(cpu_ms).toBeLessThan(2_000);
});

const pieces = [
  ...hostile,
  ...[...formats, ...otherFormats].flatMap(([, written]) => [written, written.slice(0, -7)]),
  "shell",
  "browse",
];

test("no output of a tool makes the comparison throw", () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...pieces, "\\\\u00", '\\\\"', "{"), fc.string()), { maxLength: 12 });
  const read = (parts: string[]) => readReply(CALL, { messages: [], tools, data: [parts.join("")] });
  fc.assert(fc.property(text, (parts) => read(parts).calls.length <= 1));
});

test("no text makes it throw, or call what was not offered", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 12 }).map((parts) => parts.join("")),
    fc.json().map((json) => `<tool_call>${json}`),
  );
  fc.assert(
    fc.property(texts, fc.subarray(tools), (written, offered) => {
      const { calls, text } = readReply(written, { messages: [], tools: offered });
      expect(calls.filter(({ name }) => !offered.some((tool) => tool.name === name))).toEqual([]);
      expect(text.length).toBeLessThanOrEqual(written.length);
    }),
    { numRuns: 2_000 },
  );
});
