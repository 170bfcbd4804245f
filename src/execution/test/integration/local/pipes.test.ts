// Promises 3.1: a writer that its reader has stopped is no failure of the pipeline. Every text runs as a step does, and as plain bash
// runs it.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, cmd } from "../../../../../test/support/builders.ts";
import { anObserver, aRequest } from "../../../../../test/support/step-run.ts";
import type { Step } from "../../../../domain/step.ts";
import { createAgentPlaces } from "../../../local/agent-places.ts";
import { createLocalBackend } from "../../../local/local-backend.ts";
import { preparePlain } from "../../../local/prepare-command.ts";
import { home } from "./a-command.ts";

/** Writes far more than a pipe holds. */
const MANY = `awk 'BEGIN { for (i = 1; i <= 200000; i++) print "line", i }'`;

async function ran(step: Step) {
  const backend = createLocalBackend({
    home: home(),
    clock: () => new Date(),
    prepare: preparePlain(createAgentPlaces(join(home(), "places"))),
  });
  const { step_results } = await backend.run(aRequest([step]), anObserver().observer, new AbortController().signal);
  return step_results[0];
}

const plain = (text: string): number | null =>
  spawnSync("/bin/bash", ["--noprofile", "--norc", "-p", "-c", text], { cwd: home() }).status;

describe("promises 3.1: a check ends as in plain bash", () => {
  test.each([
    [`${MANY} | grep -q '^line 3$'`, 0],
    [`${MANY} | grep -q absent`, 1],
    [`if ${MANY} | grep -q '^line 3$'; then exit 1; fi; true && test -d .`, 1],
    [`! ${MANY} | grep -q '^line 3$'`, 1],
    [`${MANY} | grep -q '^line 3$' && exit 1; test -d .`, 1],
    [`${MANY} | grep -m 1 -q line || exit 3; test -d .`, 0],
    [`${MANY} | head -3 | grep -q '^line 3$'`, 0],
    [`found() { ${MANY} | grep -q "$1"; }; found 'line 3' && ! found absent`, 0],
    [`until ${MANY} | grep -q '^line 3$'; do sleep 0.1; done`, 0],
    ["yes | grep -q y", 0],
    [`false | grep -q x`, 1],
  ])("%s", async (text, exit_code) => {
    expect([(await ran(check(text)))?.exit_code, plain(text)]).toEqual([exit_code, exit_code]);
  });
});

describe("promises 3.1: a real failure of a writer", () => {
  test.each(["false | cat", "gzip -dc damaged.gz | wc -l", "cat absent | sort && test -d ."])(
    "%s fails the check, as before",
    async (text) => {
      writeFileSync(join(home(), "damaged.gz"), "no gzip");
      expect((await ran(check(text)))?.status).toBe("failed");
    },
  );

  test("fails the command, as before", async () => {
    expect((await ran(cmd("false | gzip > f")))?.status).toBe("failed");
  });
});

test("promises 3.1: a condition of a command goes the right way", async () => {
  const text = `if ! ${MANY} | grep -q '^line 3$'; then echo started twice; exit 5; fi`;
  expect(await ran(cmd(text))).toMatchObject({ status: "passed", stdout: "" });
});

test("promises 3.1: exit code 141 is explained", async () => {
  const result = await ran(cmd(`${MANY} | head -1`));
  expect(result).toMatchObject({ status: "failed", exit_code: 141 });
  expect(result?.stderr).toMatch(/orch: exit code 141 \(SIGPIPE\): a command wrote to a reader that had stopped/);
});
