// A bundle whose journal is anchored, and the root that was noted: together they prove offline what was there that day.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyBundle } from "../../../src/evidence/verify/bundle.ts";
import { createAnchors } from "../../../src/worker/anchors.ts";
import { check } from "../../support/builders.ts";
import { runInProcess } from "../../support/cli-in-process.ts";
import { openEngine } from "../../support/engine.ts";

test("a bundle proves by a noted root that its journal was there that day, and is refused by another root", async () => {
  await using engine = await openEngine();
  await engine.plant("deploy", engine.targetOf("web"), [check("true")]);
  await engine.run("web");
  await engine.run("other");
  const before = await engine.call("get_evidence", { task_id: "web" });
  expect(before).not.toHaveProperty("anchors");
  const tomorrow = () => new Date(Date.now() + 86_400_000);
  await createAnchors({ store: engine.store, clock: tomorrow, log: { warn: () => undefined } }).look();
  const { anchors } = await engine.call("list_anchors", {});
  const [{ day, root }] = anchors;
  const bundle = await engine.call("get_evidence", { task_id: "web" });
  expect(bundle.anchors).toMatchObject([{ day, root, seq: bundle.journal.length }]);
  expect(verifyBundle(bundle).faults).toEqual([]);
  expect(verifyBundle({ ...bundle, anchors: [{ ...bundle.anchors[0], root: "0".repeat(64) }] }).faults).toEqual([
    `the anchor of ${day} does not lead to its root.`,
  ]);

  const write = (name: string, text: string) => {
    const file = join(engine.directory, name);
    writeFileSync(file, text);
    return file;
  };
  const file = write("bundle.json", JSON.stringify(bundle));
  const verify = (roots: string) => runInProcess(["evidence", file, "--verify", "--anchor", write("roots", roots)]);
  const proved = await verify(`${day} ${root}\n`);
  expect([proved.exit, proved.stdout]).toEqual([
    0,
    expect.stringContaining(`entries 1 to ${bundle.journal.length} were there at the end of ${day}`),
  ]);
  const refused = await verify(`${day} ${"0".repeat(64)}\n`);
  expect([refused.exit, refused.stdout]).toEqual([1, expect.stringContaining("is not the one that was noted")]);
  expect((await verify("no root")).exit).toBe(2);
});
