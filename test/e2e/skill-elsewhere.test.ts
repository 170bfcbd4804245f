// A skill that lies outside of the checkout, with nothing installed beside it, as docs/skills.md shows one.
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractBody } from "../support/builders.ts";
import { startOrchProcess, temporaryDirectory } from "../support/orch-process.ts";

const EXAMPLES = join(import.meta.dirname, "../support/example-skills");

test("a skill in a directory of its own imports zod and orch by name, and is used without touching anything else, also beside a broken one [4.skill.scan] [4.skill.route] [4.skill.approval] [4.skill.ignorance]", async () => {
  await using directory = await temporaryDirectory();
  // By links, as a configuration directory may hold it.
  const [kept, skills] = [join(directory.path, "kept"), join(directory.path, "skills")];
  await cp(EXAMPLES, kept, { recursive: true });
  await mkdir(skills);
  await symlink(join(kept, "lamps"), join(skills, "lamps"));
  await mkdir(join(skills, "bells"));
  await writeFile(join(skills, "bells/handler.ts"), 'export const HANDLED_INTENTS = ["ring"];\nexport const = 1;');
  const orch = await startOrchProcess({ data_dir: directory.path, env: { ORCH_CAPABILITIES: skills } });
  try {
    const task = (task_id: string, payload: object) =>
      orch.post("/v1/tasks", {
        ...contractBody({
          task_id,
          intent: "switch_off",
          delegation_mode: "known_only",
          success_criteria: [],
          payload,
        }),
        wait_seconds: 20,
      });
    expect((await task("wrong", { lamps: [] })).body).toMatchObject({
      status: "blocked",
      outcome: { skill_code: "payload_invalid" },
    });
    expect(orch.output()).toMatch(/"skill":"bells","intents":\["ring"\],"fault":"[^"]*handler\.ts:2: cannot be loaded/);
    expect((await task("right", { lamps: ["hall"] })).body).toMatchObject({ status: "need_approval" });
  } finally {
    await orch.kill("SIGKILL");
  }
});
