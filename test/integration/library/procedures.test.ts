// Three runs of procedures of the library, for every change; test/e2e/library has all of them, every night.
import { expect, test } from "vitest";
import { findInLibrary } from "../../../src/cli/read-library.ts";
import { type Run, runOnce } from "../../library/prove-procedure.ts";
import type { OpenScene } from "../../library/scene.ts";
import { SCENES } from "../../library/scenes.ts";
import { deployed } from "../../library/service-scenes.ts";

type Way = Run["way"]["kind"] & ("as_it_is" | "lies");

async function ran(name: string, kind: Way, look?: (run: Run) => unknown, open: OpenScene | undefined = SCENES[name]) {
  const found = await findInLibrary(name);
  if (!found.ok || open === undefined) throw new Error(`${name} is not in the library, or has no scene`);
  return runOnce(found.value.entry, { open, way: { kind }, ...(look !== undefined && { look }) });
}

test("A commit and push reaches the remote, is proved, and takes a name of a file as a name", async () => {
  const run = await ran("git-push", "as_it_is", ({ world }) => {
    expect(world.has("checkout/x")).toBe(false);
  });
  expect(run?.task).toMatchObject({ label: "DONE", checks: [{ proof: "proved", change: "became_true" }] });
  expect(run?.again).toMatchObject({ label: "DONE" });
});

test("A restart that a lying docker says to have made is not done", async () => {
  const run = await ran("compose-restart", "lies");
  expect(run?.task).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed", step_index: 1 } });
});

test("A deploy of a version that does not answer fails, and the version before runs again", async () => {
  const look = ({ world }: Run) => {
    expect(world.read("web/.env")).toBe("SECRET=keep\nTAG=2.3.1\n");
    expect(world.read("state/docker/containers/web")).toContain("image=lab/web:2.3.1\n");
  };
  const run = await ran("compose-deploy", "as_it_is", look, deployed("broken"));
  expect(run?.task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed", step_index: 0 } });
  expect(JSON.stringify(run?.bundle)).toContain("version broken does not answer: back to the version before");
});
