import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readServiceSettings, readSettings } from "../../../../src/cli/commands/service.ts";

const folder = mkdtempSync(join(tmpdir(), "orch-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the settings of a service", () => {
  const read = (text: string, environment: Record<string, string> = {}) => {
    const file = join(folder, "orch.env");
    writeFileSync(file, text);
    return readServiceSettings(file, environment);
  };

  test("are those of the file, and of the environment where the file has none", async () => {
    const text = '# ORCH_DRAIN_SECONDS=1\nORCH_DRAIN_SECONDS=20\n ORCH_DRAIN_SECONDS="600"\nORCH_DRAIN_SECONDS=\n';
    expect(await read(text, { ORCH_DRAIN_SECONDS: "5" })).toEqual({
      drain_seconds: 600,
      ignored: [],
      continued: [],
    });
    expect(await read("", { ORCH_DRAIN_SECONDS: "5" })).toMatchObject({ drain_seconds: 5 });
    expect(await readServiceSettings(join(folder, "none"), {})).toMatchObject({ drain_seconds: 20 });
  });

  test("with bad values are refused by file, line and variable, and no value is shown", async () => {
    const text = "ORCH_PORT=7000\nORCH_DRAIN_SECONDS=soon\n\nORCH_TOKEN=too-short-a-secret\nOTHER=x\n";
    const error = await read(text).catch((found: unknown) => found);
    expect(error).toMatchObject({
      code: "config_invalid",
      message: expect.stringMatching(
        /orch\.env is not valid:\n {2}line 2: ORCH_DRAIN_SECONDS must be a whole number from \d+ to \d+\n {2}line 4: ORCH_TOKEN must be 32 to /,
      ),
      fix: expect.stringContaining("Correct /"),
      issues: expect.arrayContaining([{ path: "ORCH_TOKEN", message: expect.any(String) }]),
    });
    expect(JSON.stringify(error) + String(error)).not.toMatch(/soon|too-short/);
  });

  test("in the environment are refused by variable", async () => {
    await expect(read("", { ORCH_DRAIN_SECONDS: "soon" })).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("ORCH_DRAIN_SECONDS must be a whole number"),
    });
  });
});

test.each([
  ["A=b", { A: "b" }],
  ["  A = b  # no comment \r\n", { A: "b  # no comment" }],
  ['A=\'a "b" \\\'\nB="it\'s \\"x\\" \\n"', { A: 'a "b" \\', B: 'it\'s "x" \\n' }],
  ["A=one \\\n  two\nB=c", { A: "one   two", B: "c" }],
  ["A=a\\ b\\\\'c'd\nB='a' \"b\" c'd", { A: "a b\\'c'd", B: "abc'd" }],
  ["A='two\nlines'\n; B=x\n# C=x \\\nE=y", { A: "two\nlines", E: "y" }],
  ["A=1\nA=\nA=2\nA=''", { A: "2" }],
  ["export A=b\nB", {}],
  ['A="open\nB=1', { A: "open\nB=1" }],
])("a file with the text %j is read as %j", (text, expected) => {
  const found = [...readSettings(text).assignments].map(([name, { value }]) => [name, value]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test("lines count as in the file, also after a value of several, and those that systemd leaves out are named", () => {
  const { assignments, ignored } = readSettings("\n# x\nA='1\n2'\nexport B=1\nC=3\nD\n");
  expect([...assignments].map(([name, { line }]) => [name, line])).toEqual([
    ["A", 3],
    ["C", 6],
  ]);
  expect(ignored).toEqual([5, 7]);
});

test.each([
  ["# before \\\nA=1\n", [1]],
  ["A=1\n ; C:\\\\\\\n B=2\n#\\\n#\\\nC=3", [2, 5]],
  ["# C:\\\\\nA=1\n", []],
  ["# a \\ b\nA=1\n", []],
  ["# last \\\n\nA=1\n", []],
  ["# last \\\n", []],
  ["# dos \\\r\nA=1\n", []],
])("in the text %j, the comments to which an older systemd takes a setting are those of lines %j", (text, expected) => {
  expect(readSettings(text)).toMatchObject({ continued: expected, ignored: [] });
});
