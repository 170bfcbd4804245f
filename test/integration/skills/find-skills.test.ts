import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { INTENTS } from "../../../src/domain/contract.ts";
import { OrchError } from "../../../src/domain/errors.ts";
import { findSkills as findIn } from "../../../src/skill-process/find-skills.ts";
import { skillsDirectory } from "../../support/skills.ts";

const findSkills = (capabilities: string[] = []) => findIn({ capabilities, skill_memory_mb: 256 });

const claiming = (...intents: string[]): string => `
  export const HANDLED_INTENTS = ${JSON.stringify(intents)};
  export const handle = async () => ({ status: "ok", code: "done", message: "Done." });
`;

async function refusalOf(sources: Record<string, string>): Promise<string> {
  await using directory = await skillsDirectory(sources);
  const said: unknown = await findSkills([directory.path]).catch((error: unknown) => error);
  expect(said).toMatchObject({ name: "OrchError", code: "config_invalid" });
  return said instanceof OrchError ? said.message.replaceAll(directory.path, "DIRECTORY") : "";
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
    expect(["mute_bells", "ring_bells", "dim"].map((intent) => skillOf(intent)?.name)).toEqual([
      "bells",
      "bells",
      "lamps",
    ]);
  });
});

test("a skill may take its time to load [4.skill.scan]", async () => {
  const slow = `await new Promise((resolve) => setTimeout(resolve, 1_200));${claiming("dim")}`;
  await using directory = await skillsDirectory({ lamps: slow });
  expect((await findSkills([directory.path])).skillOf("dim")?.name).toBe("lamps");
});

describe("the server does not start with a skill", () => {
  test.each([
    ["that cannot be parsed", "export const = 1;", /cannot be loaded: /],
    ["that throws while it is loaded", 'throw new Error("no lamp here");', /cannot be loaded: no lamp here/],
    ["that imports what is not there", 'import "./lamp.ts";', /cannot be loaded: /],
    ["without HANDLED_INTENTS", "export const handle = () => {};", /HANDLED_INTENTS must be an array of intents/],
    ["without an intent", claiming(), /HANDLED_INTENTS must list at least one intent/],
    ["with what is no intent", claiming("Dim the light"), /HANDLED_INTENTS\.0 must be lower case, with underscores/],
    ["without handle", 'export const HANDLED_INTENTS = ["dim"];', /handle must be a function/],
    ["whose handle is none", 'export const HANDLED_INTENTS = ["dim"]; export const handle = 1;', /handle must be a/],
    ["that lists an intent twice", claiming("dim", "dim"), /HANDLED_INTENTS lists dim twice/],
  ])("%s [2.skill.intents] [2.skill.handle]", async (_what, source, why) => {
    const message = await refusalOf({ lamps: source });
    expect(message).toMatch(/^The skill DIRECTORY\/lamps\/handler\.ts cannot be used: /);
    expect(message).toMatch(why);
  });

  test("that claims what another one claims, and names both", async () => {
    const message = await refusalOf({ bells: claiming("ring"), lamps: claiming("dim", "ring") });
    expect(message).toContain("DIRECTORY/lamps/handler.ts");
    expect(message).toContain("claims ring, which DIRECTORY/bells/handler.ts claims already");
  });

  test("that claims what the notes skill claims", async () => {
    expect(await refusalOf({ lamps: claiming("reorganize_notes_tree") })).toMatch(
      /capabilities\/notes\/handler\.ts claims/,
    );
  });

  test.each(INTENTS)("that claims %s of the vocabulary", async (intent) => {
    expect(await refusalOf({ lamps: claiming("dim", intent) })).toContain(`claims ${intent}, which orch runs itself`);
  });

  test("whose own directory is named in place of the one that holds it, nor with a directory without skills", async () => {
    await using skills = await skillsDirectory({ lamps: claiming("dim") });
    await expect(findSkills([join(skills.path, "lamps")])).rejects.toThrow(/is a skill itself; name the directory/);
    await using none = await skillsDirectory({});
    await expect(findSkills([none.path])).rejects.toThrow(/holds no directory with a handler\.ts/);
  });

  test("whose directory is not there", async () => {
    await expect(findSkills(["/nowhere/at/all"])).rejects.toThrow(
      /^The skill \/nowhere\/at\/all cannot be used: cannot be/,
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
    expect(tools.find(({ skill }) => skill === "lamps")).toMatchObject({
      name: "dim",
      scope: "lamps",
      effect: "changes",
    });
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
  ])("stop the start when the file %s", async (_what, source, why) => {
    await using directory = await skillsDirectory({ lamps: claiming("dim") }, { lamps: source });
    const said: unknown = await findSkills([directory.path]).catch((error: unknown) => error);
    expect(said).toMatchObject({
      code: "config_invalid",
      message: expect.stringMatching(/lamps\/tools\.ts cannot be used: /),
    });
    expect(said).toMatchObject({ message: expect.stringMatching(why) });
  });
});
