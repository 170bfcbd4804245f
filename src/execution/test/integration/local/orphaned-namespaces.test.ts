// Namespaces that never began and have lost their parent.
import { type StdioOptions, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { argumentsOf } from "../../../../process/process-stat.ts";
import { endLeftovers, endOrphanedNamespaces } from "../../../local/runner/leftovers.ts";
import { INIT } from "../../../sandbox/launcher.ts";
import { canSandbox, home } from "./a-command.ts";

const MARK = `mark-${process.pid}`;

const marked = () =>
  readdirSync("/proc").filter((entry) => /^\d+$/.test(entry) && argumentsOf(Number(entry)).includes(MARK));

/** A bubblewrap that waits before it begins, as it waits for its parent, and the shell that has started it. */
function waiting() {
  const script = `bwrap --block-fd 3 --dev-bind / / --unshare-pid -- bash -c "$INIT" ${MARK} & wait`;
  const stdio: StdioOptions = ["ignore", "ignore", "ignore", "pipe"];
  return spawn("/bin/bash", ["-c", script], { detached: true, stdio, env: { ...process.env, INIT } });
}

test.skipIf(!canSandbox)("a bubblewrap is ended when its parent is gone, and not before", async () => {
  const shell = waiting();
  await expect.poll(() => marked().length).toBeGreaterThan(1);
  const before = marked();
  await endOrphanedNamespaces();
  expect(marked()).toEqual(expect.arrayContaining(before));
  shell.kill("SIGKILL");
  // A start does it.
  const running_dir = join(home(), "running");
  const left = async () => {
    await endLeftovers(running_dir);
    return marked();
  };
  await expect.poll(left, { timeout: 5_000 }).toEqual([]);
});
