// The server and the process that runs its commands are killed at once: nothing of the step is alive when the next server
// takes the task up, in either way of containment.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check, cmd } from "../support/builders.ts";
import { temporaryDirectory } from "../support/orch-process.ts";
import { begin, isLiving, lines, serve, settled } from "./recovery/begin.ts";

/** The processes whose arguments hold the text, by their pids as this process sees them. */
const pidsOf = (text: string): string[] =>
  readdirSync("/proc").filter((entry) => /^\d+$/.test(entry) && isLiving(entry) && argumentsOf(entry).includes(text));

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

const parentOf = (pid: string): string => /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1] ?? "";

test.each(["auto", "off"])("nothing of a step outlives the server and its runner, ORCH_SANDBOX=%s", async (mode) => {
  await using directory = await temporaryDirectory();
  const start = { data_dir: directory.path, env: { ORCH_SANDBOX: mode } };
  const mark = `63.${process.pid}${mode.length}`;
  await using first = await serve(start);
  await begin(first, "t-1", [cmd(`echo x >> begun; sleep ${mark}; true`), check("test -d /")]);
  await lines(directory.path, "begun");
  const runner = pidsOf("runner-process.ts").find((pid) => parentOf(pid) === String(first.child.pid)) ?? "";
  process.kill(Number(runner), "SIGSTOP");
  await first.kill("SIGKILL");
  process.kill(Number(runner), "SIGKILL");
  await using second = await serve(start);
  expect(pidsOf(mark)).toEqual([]);
  expect(readdirSync(join(directory.path, "state/running"))).toEqual([]);
  if (mode === "off") expect(second.output()).toContain("a command that a lost server had left running was ended");
  expect((await settled(second, "t-1")).status).toBe("need_input");
});
