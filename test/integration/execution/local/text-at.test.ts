// What is read of a script: a short regular file, and nothing that could keep the reader waiting.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { textAt } from "../../../../src/execution/local/text-at.ts";

const directory = mkdtempSync(join(tmpdir(), "orch-text-"));
afterAll(() => rmSync(directory, { recursive: true }));
const at = (name: string): string => join(directory, name);
const written = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

test("a short file is read, also through a link", async () => {
  symlinkSync(written("a.sh", "ls\n"), at("link"));
  expect([await textAt(at("a.sh")), await textAt(at("link"))]).toEqual(["ls\n", "ls\n"]);
});

test("a file of more than 64 KiB, a program and a missing file are not", async () => {
  const paths = [written("long", "x".repeat(65_537)), written("program", "\0ELF"), at("missing"), directory];
  expect(await Promise.all(paths.map(textAt))).toEqual([null, null, null, null]);
});

test("a pipe, a device and a file of the kernel are not, and keep nothing waiting", async () => {
  execFileSync("sh", ["-c", 'mkfifo "$0"', at("pipe")]);
  expect(await Promise.all([at("pipe"), "/dev/zero", "/dev/tty"].map(textAt))).toEqual([null, null, null]);
});
