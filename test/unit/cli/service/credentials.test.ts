// The directory of secrets that the units load, as the account of the command can read it.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readCredentials } from "../../../../src/cli/commands/service.ts";

const folder = mkdtempSync(join(tmpdir(), "orch-credentials-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("files with the name of a secret are loaded, and a directory that is not there has none", async () => {
  const directory = join(folder, "some");
  mkdirSync(directory);
  for (const name of ["ORCH_TOKEN", "notes.txt"]) writeFileSync(join(directory, name), "x");
  const files = { ORCH_TOKEN: join(directory, "ORCH_TOKEN") };
  expect(await readCredentials(directory)).toEqual({ files, fault: null });
  expect(await readCredentials(join(folder, "none"))).toEqual({ files: {}, fault: null });
});

const STRANGER = 65_534;

test("a directory that the account may not read is named, with what to do", async () => {
  const directory = join(folder, "closed");
  mkdirSync(directory, { mode: 0o000 });
  chmodSync(folder, 0o711);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(STRANGER);
  const found = await readCredentials(directory);
  if (isRoot) process.seteuid?.(0);
  const fault = `${directory} cannot be read (EACCES), so the units load no secret from it: run the command as root.`;
  expect(found).toEqual({ files: {}, fault });
  const file = join(folder, "file");
  writeFileSync(file, "x");
  expect((await readCredentials(file)).fault).toMatch(/\(ENOTDIR\).*: it has to be a directory of files\.$/);
});
