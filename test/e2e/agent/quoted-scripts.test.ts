// The guard reads the scripts that an agent's command names. What the command itself could not read is not read for it: a reason
// quotes what was found, and the model, the journal and the evidence have it (D-265).
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { obedient } from "./obedient-model.ts";
import { openWorld, SECRETS } from "./world.ts";

const OWN = "canaryOfTheHomeDirectory";

test("an agent learns nothing of a file that it cannot read from what the guard says about its command [5.4]", async () => {
  await using world = await openWorld(obedient);
  const place = join(world.home, "places/web");
  mkdirSync(place);
  writeFileSync(join(world.home, "app.env"), `PASSWORD=${OWN}\n`);
  symlinkSync(join(world.home, "state"), join(place, "linked"));
  writeFileSync(join(place, "mine.env"), "PASSWORD=canaryOfThePlace\n");
  const deletes = (file: string) => ["shell", { command: `. ${file}; rm -rf "/home/$PASSWORD"` }];
  const begin = [
    ...[deletes(join(world.home, "app.env")), deletes("./mine.env")],
    ...[["shell", { command: ". ./linked/token" }]],
  ];
  await world.carryOut(
    contractBody({
      task_id: "agent",
      delegation_mode: "agent",
      success_criteria: [],
      payload: { begin },
      target: { compose_dir: place },
      constraints: { implicit_scope: ["shell"], require_approval_for: [], max_minutes: 1 },
    }),
  );
  const { body } = await world.ask("/v1/tasks/agent/evidence");
  const said = JSON.stringify([body, world.model.asked]);
  expect(said).toContain("canaryOfThePlace");
  for (const secret of [OWN, SECRETS.supervisor]) expect(said).not.toContain(secret);
});
