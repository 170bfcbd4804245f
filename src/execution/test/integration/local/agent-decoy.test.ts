import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aContract } from "../../../../../test/support/builders.ts";
import { judgeHere } from "../../../../../test/support/judge-here.ts";
import { memoryStore } from "../../../../../test/support/memory-store.ts";
import { anAgentSandbox, aRunnerSetup } from "../../../../../test/support/sandboxes.ts";
import { createExaminer } from "../../../../engine/tasks/check-looks.ts";
import { baseEnvironment } from "../../../execution.ts";
import { createCheckProbes } from "../../../local/control/check-looks.ts";
import { createDisk, textAtOf } from "../../../local/disk.ts";
import { createCommandRunner } from "../../../local/runner/command-runner.ts";
import { PLAIN_STEP } from "../../../sandbox/sandbox.ts";

let place = "";
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "orch-decoy-"));
  writeFileSync(join(place, "key"), "a token\n");
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

test("the decoy of an agent's check runs as its commands do: what they cannot read, it cannot read", async () => {
  const account = { home: homedir() };
  const commands = createCommandRunner(baseEnvironment(account), aRunnerSetup({ running_dir: place }));
  const sandbox = anAgentSandbox({ hidden: [join(place, "key")] });
  const probes = createCheckProbes({
    textAt: textAtOf(createDisk([], (text) => text)),
    account,
    runCommand: commands.runCommand,
    hidden: [],
    plain: PLAIN_STEP,
    agent: sandbox,
    inNetwork: (run) => run,
  });
  const clock = () => new Date();
  const examiner = createExaminer({
    store: memoryStore(clock),
    clock,
    probes,
    judge: judgeHere,
    home: account.home,
    version: "1",
  });
  const check = { text: `grep -q token ${place}/key`, contract: aContract(), commands: [] };
  const answerOf = async (of_agent: boolean) =>
    (await examiner.examine({ ...check, decoy_on: of_agent ? "confined" : "machine" })).decoy?.answer;
  expect([await answerOf(false), await answerOf(true)]).toEqual(["green", "red"]);
  commands.close();
});
