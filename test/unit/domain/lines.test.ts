// Lines out of chunks, wherever these are cut, and within bounds.
import { expect, test } from "vitest";
import { createLines } from "../../../src/domain/output-lines.ts";

function linesOf(chunks: readonly Buffer[], max_bytes = 100): (string | null)[] {
  const heard: (string | null)[] = [];
  const cut = createLines(max_bytes, (line) => heard.push(line));
  for (const chunk of chunks) cut(chunk);
  return heard;
}

const bytesOf = (text: string): Buffer[] => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

test("a line is heard once it has ended, however it arrives", () => {
  const text = "one\n\nzwölf €\r\nnot ended";
  const lines = ["one", "", "zwölf €\r"];
  expect(linesOf([Buffer.from(text)])).toEqual(lines);
  expect(linesOf(bytesOf(text))).toEqual(lines);
});

test("a line that is too long is heard of, and the next one is heard", () => {
  const text = `${"x".repeat(6)}\n${"y".repeat(5)}\n${"z".repeat(60)}\nend\n`;
  const lines = [null, "yyyyy", null, "end"];
  expect(linesOf([Buffer.from(text)], 5)).toEqual(lines);
  expect(linesOf(bytesOf(text), 5)).toEqual(lines);
});
