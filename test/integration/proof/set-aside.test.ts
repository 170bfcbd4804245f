// A version on trial that was promoted while a replacement waits: the version that the replacement has set aside is given back.
import { expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { openLookingEngine } from "../../support/looking-engine.ts";

const REACH = cmd("echo 'version 2' > release.txt");
const HONEST = check('grep -q "version 2" release.txt');
const FAILING = check('grep -q "version 3" release.txt');
const VACUOUS = check("! ls nothing-of-the-kind | grep -q x");

test("gives the version back that a waiting replacement has set aside", async () => {
  await using engine = await openLookingEngine();
  const target = await engine.aTarget();
  await engine.promoted(target, [REACH, HONEST]);
  await engine.ran("aside-first", target);
  const payload = { intent: "deploy", target, steps: [REACH, VACUOUS] };
  await engine.submit({ task_id: "aside-update", intent: "update_sop", target: {}, payload });
  await engine.promoted(target, [REACH, FAILING]);
  await engine.ran("aside", target);
  await engine.call("approve", { task_id: "aside-update", decision: "reject" });
  await engine.call("get_task", { task_id: "aside-update", wait_seconds: 30 });
  const { sops } = await engine.call("list_sops", { limit: 9 });
  expect(sops.map(({ version, status, level }: Record<string, unknown>) => `${version} ${status} ${level}`)).toEqual([
    "3 deprecated tried",
    expect.stringMatching(/^2 deprecated/),
    "1 active proved",
  ]);
});
