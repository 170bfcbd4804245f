// Three runs of procedures of the library, for every change; test/e2e/library has all of them, every night.
import { expect, test } from "vitest";
import { findInLibrary } from "../../../src/features/procedures/library-commands.ts";
import { type Run, runOnce } from "../../library/prove-procedure.ts";
import { SCENES } from "../../library/scenes.ts";

/** The looks of a run make worlds of their own, which takes a busy machine long. */
const LIMIT_MS = 60_000;

type Way = Run["way"]["kind"] & ("as_it_is" | "lies");

async function ran(name: string, kind: Way, look?: (run: Run) => unknown) {
  const [found, open] = [await findInLibrary(name), SCENES[name]];
  if (open === undefined) throw new Error(`${name} has no scene`);
  return runOnce(found.entry, { open, way: { kind }, ...(look !== undefined && { look }) });
}

test(
  "A commit and push reaches the remote, is proved, and takes a name of a file as a name",
  async () => {
    const run = await ran("git-push", "as_it_is", ({ world }) => {
      expect(world.has("checkout/x")).toBe(false);
    });
    expect(run?.task).toMatchObject({ label: "DONE", checks: [{ proof: "proved", change: "became_true" }] });
  },
  LIMIT_MS,
);

test(
  "A restart that a lying docker says to have made is not done",
  async () => {
    const run = await ran("compose-restart", "lies");
    expect(run?.task).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed", step_index: 1 } });
  },
  LIMIT_MS,
);

test(
  "A pruning asks first, and leaves the newest snapshots of orch and those of another name",
  async () => {
    const left = ["daily-1", "daily-2", "orch-c", "orch-d"].map((name) => `tank/web@${name}\n`).join("");
    const run = await ran("zfs-prune", "as_it_is", ({ world }) => expect(world.read("state/snapshots")).toBe(left));
    expect(run).toMatchObject({ asked: true, task: { label: "DONE" } });
  },
  LIMIT_MS,
);
