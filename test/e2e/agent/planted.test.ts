// What an agent has written, an approved procedure runs: it finds no token of orch, and git runs none of it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { obedient } from "./obedient-model.ts";
import { openWorld, SECRETS } from "./world.ts";

/** Leaves a file that says that it ran, and puts what it finds in another. */
const steal = (home: string, place: string) => `#!/bin/sh
touch ${place}/ran
cat ${home}/state/token ${home}/state/orch.db /proc/[0-9]*/environ > ${place}/loot 2>/dev/null
`;

async function plantedAndRun(env: Readonly<Record<string, string>>) {
  await using world = await openWorld(obedient, { env });
  const place = join(world.home, "places/web");
  mkdirSync(place);
  const agent = contractBody({
    task_id: "agent",
    delegation_mode: "agent",
    success_criteria: [],
    payload: { begin: [["shell", { command: "touch begun" }]] },
    target: { compose_dir: place },
    constraints: { implicit_scope: ["shell"], require_approval_for: [], max_minutes: 1 },
  });
  await world.carryOut(agent);
  expect(existsSync(join(place, "begun"))).toBe(true);
  // In words that no reading of its text understands, the agent could have done this too.
  writeFileSync(join(place, "steal"), steal(world.home, place), { mode: 0o755 });
  writeFileSync(join(place, "Makefile"), "all:\n\t-@./steal\n");
  for (const args of [
    ["init", "-q", "."],
    ["config", "core.fsmonitor", "./steal"],
  ])
    execFileSync("git", args, { cwd: place });
  const findings = async (task_id: string, step: string) => {
    for (const name of ["ran", "loot"]) rmSync(join(place, name), { force: true });
    const constraints = { implicit_scope: [], require_approval_for: [], max_minutes: 1 };
    await world.carryOut(
      contractBody({
        task_id,
        intent: task_id === "git" ? "deploy" : "restart",
        target: { compose_dir: place },
        constraints,
      }),
    );
    const steps = [cmd(step), check("test -d .git")];
    const { body } = await world.ask("/v1/teach", { task_id, steps, wait_seconds: 30 });
    if (body.task === undefined) throw new Error(JSON.stringify(body).slice(0, 600));
    const loot = existsSync(join(place, "loot")) ? readFileSync(join(place, "loot"), "utf8") : "";
    const stolen = Object.values(SECRETS).filter((secret) => loot.includes(secret)).length > 0;
    return { status: body.task?.status, ran: existsSync(join(place, "ran")), stolen };
  };
  const git = await findings("git", "git status --short");
  const script = await findings("script", "make -s");
  return { git, script };
}

const hasMake = existsSync("/usr/bin/make");

test.skipIf(!hasMake)(
  "a planted monitor of files does not run, and a planted script finds nothing of orch [5.4]",
  async () => {
    expect(await plantedAndRun({})).toEqual({
      git: { status: "ok", ran: false, stolen: false },
      script: { status: "ok", ran: true, stolen: false },
    });
  },
);

test.skipIf(!hasMake)("where nothing is hidden, the same script finds the token", async () => {
  const { script } = await plantedAndRun({ ORCH_SANDBOX: "off" });
  expect(script).toEqual({ status: "ok", ran: true, stolen: true });
});
