// orch skill new, check and test, as someone uses them who writes a skill in a directory of their own.
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/orch-process.ts";

const PROGRAM = join(import.meta.dirname, "../../src/orch.ts");
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

const orch = (...args: string[]) =>
  new Promise<{ exit: number | string | null | undefined; out: string; err: string }>((resolve) =>
    execFile(process.execPath, [PROGRAM, "skill", ...args], { cwd: directory.path }, (error, out, err) =>
      resolve({ exit: error === null ? 0 : error.code, out, err }),
    ),
  );

/** A new skill, with changes to its files. */
async function changed(name: string, changes: Readonly<Record<string, (text: string) => string>>) {
  await orch("new", name);
  for (const [file, change] of Object.entries(changes)) {
    const path = join(directory.path, name, file);
    const text = await readFile(path, "utf8").catch(() => "");
    expect(change(text)).not.toBe(text);
    await writeFile(path, change(text));
  }
}

describe("a new skill", () => {
  test("passes its check and its test as it is, outside of the checkout", async () => {
    expect(await orch("new", "water-plants")).toMatchObject({
      exit: 0,
      out: expect.stringContaining("written to water-plants"),
    });
    expect((await readdir(join(directory.path, "water-plants"))).sort()).toEqual([
      "README.md",
      "handler.ts",
      "package.json",
      "test.ts",
      "tsconfig.json",
    ]);
    const checked = await orch("check", "water-plants");
    expect(checked).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/intents {2}water_plants\n.*\n.*checked by typescript .*\nok\n$/),
    });
    const tried = await orch("test", "water-plants");
    expect(tried.out).not.toContain("FAILED");
    expect(tried.out).toMatch(/^ok {6}stopped after commit 8, it ends as if it had not been/m);
    expect(tried).toMatchObject({ exit: 0, err: expect.stringMatching(/^\d\d ok, 0 FAILED\n$/) });
  }, 120_000);

  test("is not written over what is there", async () => {
    await mkdir(join(directory.path, "taken"));
    expect(await orch("new", "taken")).toMatchObject({ exit: 2, err: expect.stringContaining("it is there already") });
    expect(await readdir(join(directory.path, "taken"))).toEqual([]);
  });

  test.each(["Lamps", "1st", "a--b", "a".repeat(33)])("may not be named %s", async (name) => {
    expect(await orch("new", name)).toMatchObject({ exit: 2, err: expect.stringContaining("no name for a skill") });
  });

  test("may not have the name of an intent of orch", async () => {
    expect(await orch("new", "deploy")).toMatchObject({
      exit: 2,
      err: expect.stringContaining("which orch runs itself"),
    });
  });
});

describe("the check of a skill", () => {
  const line = (place: string, why: RegExp) => new RegExp(`^FAILED {2}${place} {2}.*${why.source}`, "m");

  test.each([
    ["a wrong type", "types", (text: string) => text.replace("data.items.length", "data.things.length"), /things/],
    [
      "a text that cannot be parsed",
      "broken",
      (text: string) => `${text}\nexport const = 1;\n`,
      /declaration expected/i,
    ],
    ["an enum", "enums", (text: string) => `${text}\nenum A { B }\n`, /erasableSyntaxOnly/],
    ["a package that is missing", "lacks", (text: string) => `import "some-lamps";\n${text}`, /npm install some-lamps/],
    ["an intent of orch", "taker", (text: string) => text.replace('["taker"]', '["deploy"]'), /which orch runs itself/],
  ])("names %s with its file and line", async (_what, name, change, why) => {
    await changed(name, { "handler.ts": change });
    const { exit, out } = await orch("check", name);
    expect(out).toMatch(line(`${name}/handler\\.ts(:\\d+)?`, why));
    expect(exit).toBe(1);
    await rm(join(directory.path, name), { recursive: true });
  });

  test("names a skill beside it that claims the same intent", async () => {
    await changed("bells", {});
    await changed("chimes", { "handler.ts": (text) => text.replace('["chimes"]', '["bells"]') });
    expect((await orch("check", "chimes")).out).toMatch(/bells is claimed by .*bells\/handler\.ts too/);
    for (const name of ["bells", "chimes"]) await rm(join(directory.path, name), { recursive: true });
  });

  test("says so when there is no handler", async () => {
    expect(await orch("check", "nowhere")).toMatchObject({ exit: 1, out: expect.stringContaining("is not there") });
  });
});

describe("the test of a skill", () => {
  test("says what is missing when there is no test.ts", async () => {
    await changed("untried", {});
    await rm(join(directory.path, "untried/test.ts"));
    expect(await orch("test", "untried")).toMatchObject({
      exit: 2,
      err: expect.stringContaining("test.ts: is not there"),
    });
  });
});
