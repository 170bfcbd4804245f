// orch skill new, check and test, as someone uses them who writes a skill in a directory of their own.
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openSkillCommands } from "../support/skill-commands.ts";

let commands: Awaited<ReturnType<typeof openSkillCommands>>;
beforeAll(async () => {
  commands = await openSkillCommands();
});
afterAll(() => commands[Symbol.asyncDispose]());
const orch = (...args: string[]) => commands.orch(...args);
const changed = (...of: Parameters<typeof commands.changed>) => commands.changed(...of);

describe("a new skill", () => {
  test("passes its check as it is, outside of the checkout", async () => {
    expect(await orch("new", "water-plants")).toMatchObject({
      exit: 0,
      out: expect.stringMatching(
        /^written to water-plants.*\nnext {2}orch skill check water-plants\n {6}orch skill test water-plants\n/,
      ),
    });
    expect((await readdir(join(commands.path, "water-plants"))).sort()).toEqual([
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
  }, 120_000);

  test("is not written over what is there", async () => {
    await mkdir(join(commands.path, "taken"));
    expect(await orch("new", "taken")).toMatchObject({ exit: 2, err: expect.stringContaining("it is there already") });
    expect(await readdir(join(commands.path, "taken"))).toEqual([]);
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

test("orch skill check names what is wrong with its file and line", async () => {
  await changed("types", { "handler.ts": (text) => text.replace("data.items.length", "data.things.length") });
  const { exit, out } = await orch("check", "types");
  expect([exit, out]).toEqual([1, expect.stringMatching(/^FAILED {2}types\/handler\.ts:\d+ {2}.*things/m)]);
});

test("orch skill check says that it checked no types where TypeScript is not installed", async () => {
  const hides = `import Module from "node:module";
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => {
      if (name === "typescript") throw Object.assign(new Error("none"), { code: "MODULE_NOT_FOUND" });
      return resolve(name, ...rest);
    };`;
  await changed("untyped", {});
  vi.stubEnv("NODE_OPTIONS", `--import "data:text/javascript,${encodeURIComponent(hides)}"`);
  const checked = await orch("check", "untyped").finally(() => vi.unstubAllEnvs());
  expect(checked).toMatchObject({
    exit: 0,
    out: expect.stringContaining("types    not checked: TypeScript is not installed"),
  });
});

describe("the test of a skill", () => {
  test("says what is missing when there is no test.ts", async () => {
    await changed("untried", {});
    await rm(join(commands.path, "untried/test.ts"));
    expect(await orch("test", "untried")).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/test\.ts: is not there(.*\n)+.*orch skill new NAME writes/),
    });
  });

  test.runIf(process.env["ORCH_TESTS"] === "all").each([
    [
      "hangs",
      "handler.ts",
      (text: string) =>
        text.replace(
          "  const { success, data, error }",
          "  await new Promise(() => {});\n  const { success, data, error }",
        ),
      /found {5}the handler has not ended after 1 s, and is in no step that changes something/,
    ],
    [
      "dawdles",
      "test.ts",
      (text: string) =>
        text.replace("open: ({ changed }) => {", "open: async ({ changed }) => {\n    await new Promise(() => {});"),
      /found {5}`open` in test\.ts has not ended after 1 s/,
    ],
  ])("ends as FAILED where %s/%s never ends, and says what did not end", async (name, file, change, found) => {
    const limited = (text: string) => text.replace("asks: true,", "asks: true,\n  limit_seconds: 1,");
    await changed(
      name,
      file === "test.ts" ? { [file]: (text) => limited(change(text)) } : { [file]: change, "test.ts": limited },
    );
    const { exit, out, err } = await orch("test", name);
    expect(out).toMatch(/^FAILED {2}a task ends as expected\n {8}expected {2}an end within 1 s\n/);
    expect(out).toMatch(found);
    expect([exit, err]).toEqual([1, "0 ok, 1 FAILED\n"]);
  });

  test("ends although its test.ts leaves something open, and names the line where the handler throws", async () => {
    await changed("leaves", {
      "handler.ts": (text) =>
        text.replace(
          "  const { success, data, error }",
          '  throw new Error("broken");\n  const { success, data, error }',
        ),
      "test.ts": (text) => text.replace("const done", "setInterval(() => undefined, 60_000);\n    const done"),
    });
    const { exit, out } = await orch("test", "leaves");
    expect([exit, out]).toEqual([1, expect.stringMatching(/broke off: broken \(handler\.ts:\d+\)\n/)]);
    expect(out).toContain("It ends before it asks: correct that first");
  });
});
