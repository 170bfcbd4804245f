// A bundle whose journal is anchored, and the root that was noted: together they prove offline what was there that day.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createOut } from "../../../../src/cli/out.ts";
import { ANCHOR_THREAD } from "../../../../src/domain/thread-id.ts";
import { verifyBundle } from "../../../../src/engine/evidence/verify/bundle.ts";
import { createAnchors } from "../../../../src/features/keeping/keeping.ts";
import { scorecardLines } from "../../../../src/features/scorecard/commands.ts";
import { check } from "../../../support/builders.ts";
import { runInProcess } from "../../../support/cli-in-process.ts";
import { openEngine } from "../../../support/engine.ts";

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
  expect(bundle).not.toHaveProperty("restores");

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

  const scorecard = await engine.call("get_scorecard", {});
  expect(scorecard.anchor).toEqual({ day, threads: 2, root });
  const out = createOut({ stdout: new PassThrough(), stderr: new PassThrough(), json: false });
  expect(scorecardLines(scorecard, "week", out).at(-1)).toBe(`${day} ${root}`);

  const restore = { restored_at: new Date().toISOString(), taken_at: `${day}T00:00:00.000Z` };
  const note = `# restored ${restore.restored_at} from a backup of ${restore.taken_at}`;
  const explained = await verify(`${note}\n${day} ${"0".repeat(64)}\n`);
  expect([explained.exit, explained.stdout]).toEqual([
    1,
    expect.stringContaining(
      `As the roots note, a backup of ${restore.taken_at} was restored on ${restore.restored_at}`,
    ),
  ]);
});

test("a bundle of a restored database names the restore, and so does the answer where the noted root is of the server before", async () => {
  await using engine = await openEngine();
  await engine.plant("deploy", engine.targetOf("web"), [check("true")]);
  await engine.run("web");
  const taken_at = "2026-01-01T00:00:00.000Z";
  const events = [{ kind: "restored", body: { taken_at } } as const];
  await engine.store.commit({ thread_id: ANCHOR_THREAD, after: "last", events });
  const tomorrow = () => new Date(Date.now() + 86_400_000);
  await createAnchors({ store: engine.store, clock: tomorrow, log: { warn: () => undefined } }).look();
  const bundle = await engine.call("get_evidence", { task_id: "web" });
  const { restores, anchors } = await engine.call("list_anchors", {});
  expect(restores).toMatchObject([{ taken_at }]);
  expect(bundle.restores).toEqual(restores);
  expect(verifyBundle(bundle)).toMatchObject({ faults: [], restores });
  const [{ restored_at }] = restores;
  const [{ day, root }] = anchors;
  const verify = (lines: string) => {
    const [file, roots] = ["bundle.json", "roots"].map((name) => join(engine.directory, name)) as [string, string];
    writeFileSync(file, JSON.stringify(bundle));
    writeFileSync(roots, lines);
    return runInProcess(["evidence", file, "--verify", "--anchor", roots, "--json"]);
  };
  const note = `# restored ${restored_at} from a backup of ${taken_at}`;
  const restored = { restored_at, taken_at, bundle_is: "after" };
  const zeros = `${day} ${"0".repeat(64)}`;
  for (const [lines, of_it, exit] of [
    [zeros, { ...restored, noted: false }, 1],
    [`${zeros}\n${note}`, { ...restored, noted: true }, 1],
    [`${note}\n${zeros}`, null, 1],
    [`${note}\n${day} ${root}`, null, 0],
  ] as const) {
    const answer = await verify(lines);
    expect([answer.exit, JSON.parse(answer.stdout).restored], lines).toEqual([exit, of_it]);
  }
});
