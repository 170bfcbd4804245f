// What a command leaves running is in its result, in each way of containment (promises 3.5).

import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { afterAll, describe, expect, test } from "vitest";
import { IN_PIDS } from "../../../../../test/support/sandboxes.ts";
import { argumentsOf } from "../../../../process/process-stat.ts";
import { baseEnvironment } from "../../../local/environment.ts";
import { PLAIN_STEP } from "../../../sandbox/sandbox.ts";
import { canSandbox, commandsIn } from "./a-command.ts";
import { confined, MODES } from "./confinement/confined-commands.ts";

const LONG = `57.${process.pid}`;
const env = () => ({ ...baseEnvironment({ home: homedir() }), ORCH_TASK_ID: `left-${process.pid}` });
const [{ fault = null } = {}] = MODES;

const WAYS = [
  { name: "a process group", can: true, commands: () => commandsIn(PLAIN_STEP), escapes: true },
  {
    name: "a process group that hides something",
    can: fault === null,
    commands: () => commandsIn({ ...PLAIN_STEP, hidden: ["/srv"] }),
    escapes: true,
  },
  {
    name: "a pid namespace",
    can: canSandbox,
    commands: () => commandsIn(IN_PIDS),
    escapes: false,
  },
  { name: "the space of an agent", can: fault === null, commands: () => confined(), escapes: false },
];

const ENDED = [
  ["a job in the background", `(sleep ${LONG}; echo migrated > m) & echo started > s`, 1, ["sleep"]],
  ["nohup", `nohup sleep ${LONG} > /dev/null 2>&1 < /dev/null &`, 1, ["sleep"]],
  ["disown", `sleep ${LONG} & disown`, 1, ["sleep"]],
  ["three of one program", `for n in 1 2 3; do sleep ${LONG} & done`, 3, ["sleep"]],
  ["two programs", `sleep ${LONG} & tail -f /dev/null > /dev/null &`, 2, ["sleep", "tail"]],
  ["a coprocess", `coproc sleep ${LONG}`, 1, ["sleep"]],
  ["a process substitution", `exec 9> >(sleep ${LONG}); echo x`, 1, ["sleep"]],
  ["a script of a script", `bash -c 'bash -c "sleep ${LONG}; true" & exit 0'`, 1, ["sleep"]],
  ["a step that fails", `sleep ${LONG} & exit 3`, 1, ["sleep"]],
  ["output that is held open", `sleep ${LONG} & echo done`, 1, ["sleep"]],
] as const;

const MOVED = [
  ["setsid", `setsid sleep ${LONG} > /dev/null 2>&1 < /dev/null & sleep 0.3`],
  ["setsid that forks", `setsid -f sleep ${LONG} > /dev/null 2>&1 < /dev/null; sleep 0.3`],
  ["a daemon", `setsid -f bash -c 'setsid -f sleep ${LONG}' > /dev/null 2>&1 < /dev/null; sleep 0.3`],
] as const;

const NONE = [
  ["nothing", "true"],
  ["a job that is waited for", "sleep 0.2 & wait"],
  ["a job that is about to end", "sleep 0.05 > /dev/null & echo x"],
  ["a job that has ended", "true & sleep 0.1"],
  ["a pipeline whose writer is ended", "yes 2> /dev/null | head -n 1 > /dev/null || true"],
  ["a job that the step itself ends", `sleep ${LONG} & kill $!`],
] as const;

const runningOnes = () =>
  readdirSync("/proc").filter((entry) => /^\d+$/.test(entry) && argumentsOf(Number(entry)).includes(LONG));

afterAll(() => {
  for (const pid of runningOnes()) process.kill(Number(pid), "SIGKILL");
});

describe.each(WAYS)("in $name", ({ can, commands, escapes }) => {
  describe.skipIf(!can)("what a command leaves running", () => {
    test.each(ENDED)("by %s is ended, and counted", async (_, script, ended, names) => {
      const end = await commands().ran(script, { env: env() });
      expect(end.left_processes).toEqual({ ended, running: 0, names });
    });

    test.each(MOVED)("by %s is counted, and it is said whether it still runs", async (_, script) => {
      const end = await commands().ran(script, { env: env() });
      const expected = escapes ? { ended: 0, running: 1 } : { ended: 1, running: 0 };
      expect(end.left_processes).toEqual({ ...expected, names: ["sleep"] });
      for (const pid of escapes ? runningOnes() : []) process.kill(Number(pid), "SIGKILL");
    });

    test.each(NONE)("is nothing after %s", async (_, script) => {
      expect((await commands().ran(script, { env: env() })).left_processes).toBeUndefined();
    });
  });
});
