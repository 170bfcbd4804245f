import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { checkedStream } from "../../../src/ollama/bounded-ollama.ts";

const token = '{"message":{"role":"assistant","content":"漢"},"done":false}';
const last = '{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}';

async function* inParts(whole: string, size: number, onClose = () => {}): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(whole);
  try {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  } finally {
    onClose();
  }
}

test.each([1, 7, 10_000])("a stream in parts of %i bytes comes out line by line", async (size) => {
  const lines: string[] = [];
  for await (const line of checkedStream(inParts(`${token}\n${token}\n${last}`, size), 10_000)) {
    lines.push(Buffer.from(line).toString());
  }
  expect(lines).toEqual([`${token}\n`, `${token}\n`, `${last}\n`]);
});

test("blank lines are dropped, and so is all that follows the last chunk", async () => {
  const stream = checkedStream(inParts(`\n \r\n${token}\r\n\n${last}\nnot json`, 10_000), 10_000);
  expect((await text(stream)).trim().split(/\s*\n/)).toEqual([token, last]);
});

test("the source is closed before the last line is handed out", async () => {
  let closed = false;
  const source = inParts(`${token}\n${last}\n${token}`, 16, () => {
    closed = true;
  });
  const stream = checkedStream(source, 10_000);
  await stream.next();
  expect(closed).toBe(false);
  await stream.next();
  expect(closed).toBe(true);
});

test("the limit counts the bytes of all lines", async () => {
  const bytes = Buffer.byteLength(`${token}\n${last}\n`);
  expect(await text(checkedStream(inParts(`${token}\n${last}\n`, 8), bytes))).toContain(last);
  await expect(text(checkedStream(inParts(`${token}\n${last}\n`, 8), bytes - 1))).rejects.toThrow(/^truncated: longer/);
});

test.each([
  ["{", "not_json"],
  ["[]", "wrong_shape"],
  ['{"message":{"content":7},"done":true}', "wrong_shape"],
  ['{"message":{"content":""}}', "wrong_shape"],
  ['{"message":{"content":"","thinking":7},"done":false}', "wrong_shape"],
  ['{"message":{"content":"","tool_calls":[{}]},"done":false}', "wrong_shape"],
  ['{"message":{"content":"","tool_calls":[{"function":{"arguments":{}}}]},"done":false}', "wrong_shape"],
  ['{"error":"hunter2"}', "model_error"],
  ['{"error":{"message":"hunter2"}}', "model_error"],
  ['{"error":"error parsing tool call: raw=hunter2"}', "bad_call"],
  [last.replace("stop", "length"), "truncated"],
  [token, "truncated"],
])("the line %s is the fault %s", async (line, code) => {
  await expect(text(checkedStream(inParts(line, 10_000), 10_000))).rejects.toMatchObject({ cause: code });
});
