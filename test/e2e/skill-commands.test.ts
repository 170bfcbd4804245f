// orch skill new, check and test, as someone uses them who writes a skill in a directory of their own.
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSkillCommands } from "../support/skill-commands.ts";

let commands: Awaited<ReturnType<typeof openSkillCommands>>;
beforeAll(async () => {
  commands = await openSkillCommands();
});
afterAll(() => commands[Symbol.asyncDispose]());
const orch = (...args: string[]) => commands.orch(...args);
const changed = (...of: Parameters<typeof commands.changed>) => commands.changed(...of);

describe("a new skill", () => {
  test("passes its check and its test as it is, outside of the checkout", async () => {
    expect(await orch("new", "water-plants")).toMatchObject({
      exit: 0,
      out: expect.stringContaining("written to water-plants"),
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
    const tried = await orch("test", "water-plants");
    expect(tried.out).not.toContain("FAILED");
    expect(tried.out).toMatch(/^ok {6}stopped after commit 8, it ends as if it had not been/m);
    expect(tried).toMatchObject({ exit: 0, err: expect.stringMatching(/^\d\d ok, 0 FAILED\n$/) });
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
    await rm(join(commands.path, name), { recursive: true });
  });

  test("names a skill beside it that claims the same intent", async () => {
    await changed("bells", {});
    await changed("chimes", { "handler.ts": (text) => text.replace('["chimes"]', '["bells"]') });
    expect((await orch("check", "chimes")).out).toMatch(/bells is claimed by .*bells\/handler\.ts too/);
    for (const name of ["bells", "chimes"]) await rm(join(commands.path, name), { recursive: true });
  });

  test("says so when there is no handler", async () => {
    expect(await orch("check", "nowhere")).toMatchObject({ exit: 1, out: expect.stringContaining("is not there") });
  });
});

describe("the test of a skill", () => {
  test("says what is missing when there is no test.ts", async () => {
    await changed("untried", {});
    await rm(join(commands.path, "untried/test.ts"));
    expect(await orch("test", "untried")).toMatchObject({
      exit: 2,
      err: expect.stringContaining("test.ts: is not there"),
    });
  });
});
