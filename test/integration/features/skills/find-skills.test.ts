import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { INTENTS } from "../../../../src/domain/contract.ts";
import { checkSkill } from "../../../../src/features/skills/kit/check-skill.ts";
import { findSkills as findIn } from "../../../../src/features/skills/process/find-skills.ts";
import { temporaryDirectory } from "../../../support/orch-process.ts";
import { skillsDirectory } from "../../../support/skills.ts";

const findSkills = (capabilities: string[] = []) => findIn({ capabilities, skill_memory_mb: 256 });

const claiming = (...intents: string[]): string => `
  export const HANDLED_INTENTS = ${JSON.stringify(intents)};
  export const handle = async () => ({ status: "ok", code: "done", message: "Done." });
`;

/** Of the skills that cannot be used, beside one that can. */
async function faultsOf(sources: Record<string, string>, tools: Record<string, string> = {}) {
  await using directory = await skillsDirectory({ ...sources, sound: claiming("sound_out") }, tools);
  const { unusable, skillOf } = await findSkills([directory.path]);
  expect([skillOf("sound_out"), skillOf("reorganize_notes_tree")]).toMatchObject([{ fault: null }, {}]);
  return unusable.map(({ intents, fault }) => {
    for (const intent of intents) expect(skillOf(intent)).toMatchObject({ fault });
    return { intents, fault: fault.replaceAll(directory.path, "DIRECTORY") };
  });
}

describe("the skills of a server", () => {
  test("are those that come with orch [4.skill.scan]", async () => {
    const { intents, skillOf } = await findSkills();
    expect(intents).toContain("reorganize_notes_tree");
    expect(skillOf("reorganize_notes_tree")?.name).toBe("notes");
    expect(skillOf("deploy")).toBeNull();
  });

  test("include every directory with a handler of one's own [2.skill.handler] [4.skill.scan] [4.skill.route]", async () => {
    await using directory = await skillsDirectory({
      bells: claiming("ring_bells", "mute_bells"),
      lamps: claiming("dim"),
    });
    await mkdir(join(directory.path, "notes-on-skills"));
    await writeFile(join(directory.path, "README.md"), "no skill");
    const { intents, skillOf } = await findSkills([directory.path, directory.path]);
    expect([...intents].sort()).toEqual(["dim", "mute_bells", "reorganize_notes_tree", "ring_bells"]);
    const names = ["mute_bells", "ring_bells", "dim"].map((intent) => skillOf(intent)?.name);
    expect(names).toEqual(["bells", "bells", "lamps"]);
  });
});

test("a skill may take its time to load [4.skill.scan]", async () => {
  const slow = `await new Promise((resolve) => setTimeout(resolve, 1_200));${claiming("dim")}`;
  await using directory = await skillsDirectory({ lamps: slow });
  expect((await findSkills([directory.path])).skillOf("dim")?.name).toBe("lamps");
});

describe("a skill that cannot be used stops no other one, and", () => {
  const DIM = 'export const HANDLED_INTENTS = ["dim"];';
  const INSTALL = /:1: .*; install it beside the handler: npm install some-lamps --prefix DIRECTORY\/lamps$/;
  test.each([
    ["that cannot be parsed", "export const A = 1;\nexport const = 1;", /:2: cannot be loaded: Unexpected token/],
    ["that ends too early", "export const A = 1;\n\nif (A) {", /:3: cannot be loaded: Expected/],
    ["with an enum", "\nenum A { B }", /:2: .*enum is not supported.*; node removes types and translates/],
    ["that throws while it is loaded", '\nthrow new Error("no lamp here");', /:2: cannot be loaded: no lamp here$/],
    ["that imports what is not there", '\nimport "./lamp.ts";', /:2: cannot be loaded: Cannot find module/],
    ["that imports a package that is not installed", 'import { a } from "some-lamps/part";', INSTALL],
    [
      "that imports a name that is not there",
      'import { no } from "node:fs";',
      /:1: .*not provide an export named 'no'/,
    ],
    ["without HANDLED_INTENTS", "export const handle = () => {};", /HANDLED_INTENTS must be an array of intents/],
    ["without an intent", claiming(), /handler\.ts:2: HANDLED_INTENTS must list at least one intent/],
    ["with what is no intent", claiming("Dim the light"), /HANDLED_INTENTS\.0 must be lower case, with underscores/],
    ["without handle", 'export const HANDLED_INTENTS = ["dim"];', /handle must be a function/],
    ["whose handle is none", `${DIM}\nexport const handle = 1;`, /handler\.ts:2: handle must be a/],
    ["that lists an intent twice", claiming("dim", "dim"), /HANDLED_INTENTS lists dim twice/],
  ])("is one %s [2.skill.intents] [2.skill.handle]", async (_what, source, why) => {
    const [{ fault } = { fault: "" }, ...others] = await faultsOf({ lamps: source });
    expect(fault).toMatch(/^The skill lamps cannot be used: DIRECTORY\/lamps\/handler\.ts/);
    expect(fault).toMatch(why);
    expect(others).toEqual([]);
  });

  test.each(INTENTS)("is one that claims %s of the vocabulary", async (intent) => {
    const [faulty] = await faultsOf({ lamps: claiming("dim", intent) });
    expect(faulty).toMatchObject({ intents: ["dim"], fault: expect.stringContaining(`claims ${intent}, which orch`) });
  });

  test.each([
    ["those that its text lists", `${claiming("dim", "mute")} (`, ["dim", "mute"]],
    ["those that it lists with a type", "export const HANDLED_INTENTS: string[] = [\n'dim', // first\n];\n(", ["dim"]],
    ["one with its name when its text lists none", "import { HANDLED_INTENTS } from './lamp.ts';", ["desk_lamps"]],
    ["none that is of the vocabulary", 'export const HANDLED_INTENTS = ["deploy", "dim"]; (', ["dim"]],
  ])("has as its intents %s (D-271)", async (_which, source, intents) => {
    expect(await faultsOf({ "desk-lamps": source })).toMatchObject([{ intents }]);
  });

  test("does not take an intent from a skill that works", async () => {
    await using directory = await skillsDirectory({ bells: claiming("ring"), lamps: `${claiming("ring", "dim")} (` });
    const { skillOf } = await findSkills([directory.path]);
    expect(skillOf("ring")).toMatchObject({ name: "bells", fault: null });
    expect(skillOf("dim")).toMatchObject({ name: "lamps", fault: expect.stringContaining("cannot be loaded") });
  });
});

describe("a handler in another language is named, and its intents are blocked (promises 4.13)", () => {
  const PYTHON = 'HANDLED_INTENTS = ["dim", "mute"]\n\ndef handle(conn, task):\n    return {"status": "ok"}\n';
  const other = async (files: Readonly<Record<string, string>>) => {
    const directory = await temporaryDirectory();
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory.path, path)), { recursive: true });
      await writeFile(join(directory.path, path), text);
    }
    return directory;
  };

  test.each([
    ["handler.py", PYTHON, ["dim", "mute"]],
    ["handler.py", "", ["lamps"]],
    ["handler.js", 'export const HANDLED_INTENTS = ["dim"];', ["dim"]],
    ["handler.mjs", 'export const HANDLED_INTENTS = ["dim"];', ["dim"]],
    ["handler.sh", "#!/bin/bash\n", ["lamps"]],
    ["handler.go", "package main\n", ["lamps"]],
  ])("%s with %j", async (name, text, intents) => {
    await using directory = await other({ [`lamps/${name}`]: text });
    const { unusable, skillOf } = await findSkills([directory.path]);
    const file = join(directory.path, "lamps", name);
    expect(unusable).toMatchObject([
      { name: "lamps", intents, file, fault: expect.stringContaining("TypeScript only") },
    ]);
    expect(skillOf(intents[0] ?? "")?.fault).toContain(file);
    const { faults } = await checkSkill(join(directory.path, "lamps"), { capabilities: [], skill_memory_mb: 512 });
    expect(faults).toMatchObject([{ file, why: expect.stringContaining("handler.ts") }]);
  });

  test("beside one in TypeScript it is left alone", async () => {
    await using directory = await other({ "lamps/handler.py": PYTHON, "lamps/handler.ts": claiming("dim") });
    expect((await findSkills([directory.path])).unusable).toEqual([]);
  });

  test("in the directory that ORCH_CAPABILITIES names, that is a skill itself", async () => {
    await using directory = await other({ "handler.py": PYTHON });
    await expect(findSkills([directory.path])).rejects.toThrow(/is a skill itself/);
  });
});

test("what two skills claim is blocked with both names, and what only one of them claims is not (D-271)", async () => {
  await using directory = await skillsDirectory({ bells: claiming("ring"), lamps: claiming("dim", "ring") });
  const { skillOf, unusable } = await findSkills([directory.path]);
  const [bells, lamps] = ["bells", "lamps"].map((name) => join(directory.path, name, "handler.ts"));
  const fault = `No skill can handle ring: ${bells} and ${lamps} both claim it`;
  expect(unusable).toMatchObject([{ name: "bells and lamps", intents: ["ring"], fault }]);
  expect([skillOf("ring"), skillOf("dim")]).toMatchObject([{ fault }, { name: "lamps", fault: null }]);
});

describe("the server does not start with a directory", () => {
  test("that is a skill itself, holds none, or is not there", async () => {
    await using skills = await skillsDirectory({ lamps: claiming("dim") });
    await expect(findSkills([join(skills.path, "lamps")])).rejects.toThrow(/is a skill itself; name the directory/);
    await using none = await skillsDirectory({});
    await expect(findSkills([none.path])).rejects.toThrow(/holds no directory with a handler\.ts/);
    await expect(findSkills(["/nowhere/at/all"])).rejects.toThrow(
      /^ORCH_CAPABILITIES names \/nowhere\/at\/all: cannot be read/,
    );
  });
});

describe("the tools of a skill, for agents [2.skill.tools]", () => {
  const listing = (over: string, count = 1): string => `
    import { z } from "zod";
    const tool = { name: "dim", description: "Dims a lamp.", parameters: z.object({ lamp: z.string() }), scope: "lamps",
      effect: "changes", run: async () => ({ ok: true }), ${over} };
    export const TOOLS = Array.from({ length: ${count} }, () => tool);
  `;

  test("are those of the tools.ts beside its handler", async () => {
    await using directory = await skillsDirectory({ lamps: claiming("dim") }, { lamps: listing("") });
    const { tools } = await findSkills([directory.path]);
    const dim = { name: "dim", scope: "lamps", effect: "changes" };
    expect(tools.find(({ skill }) => skill === "lamps")).toMatchObject(dim);
    expect(tools.filter(({ skill }) => skill === "notes").map(({ effect }) => effect)).toContain("checks");
  });

  test.each([
    ["cannot be parsed", "export const = 1;", /cannot be loaded: /],
    ["lists no tools", "export const TOOLS = 1;", /TOOLS /],
    ["has a tool without a name", listing("name: 'Dim it',"), /TOOLS\.0\.name must be lower case, with underscores/],
    ["has a tool without a schema", listing("parameters: {},"), /TOOLS\.0\.parameters must be a zod schema/],
    ["has a tool without a scope", listing("scope: '',"), /TOOLS\.0\.scope must name an entry of implicit_scope/],
    ["has a tool of unknown effect", listing("effect: 'maybe',"), /TOOLS\.0\.effect must be reads, checks or changes/],
    ["has a tool that cannot be run", listing("run: 1,"), /TOOLS\.0\.run must be a function/],
    ["lists a tool twice", listing("", 2), /TOOLS lists dim twice/],
  ])("keep the skill from being used when the file %s", async (_what, source, why) => {
    const [faulty] = await faultsOf({ lamps: claiming("dim") }, { lamps: source });
    expect(faulty?.intents).toEqual(["dim"]);
    expect(faulty?.fault).toMatch(/^The skill lamps cannot be used: DIRECTORY\/lamps\/tools\.ts/);
    expect(faulty?.fault).toMatch(why);
  });
});
