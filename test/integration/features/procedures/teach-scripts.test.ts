// teach: a script on disk that a step runs is judged as submit judges it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";

test("a script on disk that a step runs is judged with it, for a task and without one", async () => {
  await using engine = await openEngine();
  const script = join(engine.directory, "sweep.sh");
  await writeFile(script, "#!/bin/sh\nrm -rf /usr\n", { mode: 0o755 });
  const steps = [cmd(script), check("test -d /")];
  const blocked = { code: "sop_steps_invalid", message: expect.stringContaining("rm.wide") };
  await engine.run("scripted", { success_criteria: ["the page is served"] });
  expect(await engine.refusal("teach", { task_id: "scripted", steps })).toMatchObject(blocked);
  const given = { intent: "restart", target: { service: "scripted" }, steps, criteria: { "it is up": 1 } };
  expect(await engine.refusal("teach", given)).toMatchObject(blocked);
});
