// Documents that a command reads from files and stdin.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readDocument } from "../../../src/cli/files.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "orch-read-"));
});
afterEach(() => rm(cwd, { recursive: true }));

async function read(content: string | Uint8Array, file = "given.yaml") {
  await writeFile(join(cwd, file), content);
  return readDocument({ cwd, stdin: Readable.from([]) }, file);
}
const refused = (detail: RegExp) => ({ failure: { exit: 2, detail: expect.stringMatching(detail) } });

describe("a document", () => {
  test("is JSON or YAML under any file name, with or without a byte order mark", async () => {
    expect(await read('{"a": [1, "x"]}')).toEqual({ a: [1, "x"] });
    expect(await read("a:\n  - 1\n  - x\n", "given.json")).toEqual({ a: [1, "x"] });
    expect(await read('\ufeff{"a": 1}')).toEqual({ a: 1 });
    expect(await read('{\n\t"a":\t1\n}')).toEqual({ a: 1 });
  });

  test("in YAML is read as YAML 1.2: no is a word, and a time is text", async () => {
    expect(await read("a: no\nb: 2026-03-06T09:00:00Z\n")).toEqual({ a: "no", b: "2026-03-06T09:00:00Z" });
  });

  test("in JSON may hold text that looks like a field", async () => {
    const tricky = { '"a": ': '{"a": 1, "a": 2}', a: ['\\":', '"', ":", "\\"], "": { a: "\n: " } };
    expect(await read(JSON.stringify(tricky))).toEqual(tricky);
    const long = { a: "\n".repeat(2_000_000) };
    expect(await read(JSON.stringify(long))).toEqual(long);
  });

  test("may be nested as deep as the caller allows", async () => {
    const deep = `{"a": ${"[".repeat(40)}${"]".repeat(40)}}`;
    await writeFile(join(cwd, "deep.json"), deep);
    const place = { cwd, stdin: Readable.from([]) };
    expect(await readDocument(place, "deep.json", 64)).toEqual(JSON.parse(deep));
    expect(await readDocument(place, "deep.json", 41)).toMatchObject({});
    await expect(readDocument(place, "deep.json", 40)).rejects.toMatchObject(refused(/nested deeper than 40/));
  });

  test("is read from stdin for -", async () => {
    const stdin = Readable.from([Buffer.from("a: "), Buffer.from("1\n")]);
    expect(await readDocument({ cwd, stdin }, "-")).toEqual({ a: 1 });
  });

  test.each([
    ["", /must hold an object/],
    ["- 1", /must hold an object/],
    ["just text", /must hold an object/],
    ["a: 1\na: 2", /neither JSON nor YAML: Map keys must be unique.*line 2/s],
    ["a: &x [1]\nb: *x", /uses an alias/],
    ['{"__proto__": 1}', /__proto__ is a reserved key/],
    [`{"a": ${"[".repeat(40)}${"]".repeat(40)}}`, /nested deeper/],
    [`{"a": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`, /nested deeper/],
    ["a:\n  - b: .inf", /a\.0\.b has no form in JSON; write it as text/],
    [
      "a:\n  - b: 9007199254740993",
      /a\.0\.b is a number that JSON programs change \(9007199254740993\); send it as text/,
    ],
    ["a: 0x20000000000001", /a is a number that JSON programs change/],
    ["a: {b: 1e-400}", /a\.b is a number that JSON programs change/],
    ["a: !!binary aGFsbG8=", /a has no form in JSON; write it as text/],
    ['{"a": 1, "b": {"c": 1}, "a": 1}', /two fields of the same name/],
    ['[{"a": {"b\\"": ":", "b\\u0022": 1}}]', /two fields of the same name/],
  ])("that is %j is refused with the reason", async (content, reason) => {
    await expect(read(content)).rejects.toMatchObject(refused(reason));
    await expect(read(content)).rejects.toMatchObject(refused(/^given\.yaml/));
  });
});
