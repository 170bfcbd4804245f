// A server under UMask=0077, as its unit has it: what its steps deploy can be read by others, and what it keeps cannot (promises 3.9).
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check, cmd, contractBody } from "../support/builders.ts";
import { startOrchProcess, temporaryDirectory } from "../support/orch-process.ts";

const HANDLER = `import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
export const HANDLED_INTENTS = ["write_it"];
export async function handle(ctx, task) {
  await ctx.step("write", async () => {
    const at = task.target.compose_dir;
    writeFileSync(at + "/by-skill", "x");
    execFileSync("/bin/sh", ["-c", "echo x > by-command-of-skill"], { cwd: at });
    return true;
  });
  return { status: "ok", code: "written", message: "It is written." };
}
`;

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test.each([
  { sandbox: "auto", umask: "077" },
  { sandbox: "off", umask: "077" },
  { sandbox: "auto", umask: "027" },
  { sandbox: "auto", umask: "000" },
])("steps write with umask 022 under $umask, ORCH_SANDBOX=$sandbox", async ({ sandbox, umask }) => {
  await using directory = await temporaryDirectory();
  const [work, skills] = [join(directory.path, "work"), join(directory.path, "skills")];
  for (const path of [work, join(skills, "writer")]) mkdirSync(path, { recursive: true, mode: 0o755 });
  writeFileSync(join(skills, "writer/handler.ts"), HANDLER);
  const orch = await startOrchProcess({
    data_dir: directory.path,
    env: { ORCH_SANDBOX: sandbox, ORCH_CAPABILITIES: skills, BEFORE_LOOK: "on" },
    through: ["/bin/sh", "-c", `umask ${umask}; exec "$@"`, "sh"],
  });
  try {
    const constraints = { implicit_scope: [], require_approval_for: [], max_minutes: 1 };
    const contract = contractBody({ task_id: "steps", target: { compose_dir: work }, constraints });
    await orch.post("/v1/tasks", { ...contract, wait_seconds: 30 });
    const { body } = await orch.post("/v1/teach", {
      task_id: "steps",
      steps: [
        cmd("echo x > by-step; mkdir made; install /dev/null installed; umask > shown"),
        cmd('python3 -c \'open("by-python", "w")\' || : > by-python'),
        check("touch by-check && umask | tee shown-to-check | grep -qx 0022 && test -s by-step"),
      ],
      wait_seconds: 30,
    });
    expect(body.task?.status, JSON.stringify(body)).toBe("ok");
    const skill = {
      ...contract,
      task_id: "skill",
      intent: "write_it",
      success_criteria: [],
      delegation_mode: "known_only",
    };
    expect((await orch.post("/v1/tasks", { ...skill, wait_seconds: 30 })).body.status).toBe("ok");
    const modes = Object.fromEntries(readdirSync(work).map((name) => [name, modeOf(join(work, name))]));
    expect(modes).toEqual({
      "by-step": "644",
      made: "755",
      installed: "755",
      shown: "644",
      "by-python": "644",
      "by-check": "644",
      "shown-to-check": "644",
      "by-skill": "644",
      "by-command-of-skill": "644",
    });
    const kept = join(directory.path, "state");
    for (const entry of readdirSync(kept, { withFileTypes: true, recursive: true }))
      expect(modeOf(join(entry.parentPath, entry.name)), entry.name).toMatch(/[67]00$/);
    expect(modeOf(kept)).toBe("700");
  } finally {
    await orch.kill("SIGTERM");
  }
});
