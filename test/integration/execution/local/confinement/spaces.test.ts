// How long the space of a run is kept: commands share it while they follow one another.
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createConfine } from "../../../../../src/execution/local/confinement/confined.ts";
import { createSpaces } from "../../../../../src/execution/local/confinement/spaces.ts";
import { NO_LIMITS } from "../../../../../src/execution/local/step-limits.ts";
import { confined, confinement, files, whereConfined } from "./confined-commands.ts";

const LOOK = "cat /tmp/mine || true; echo kept > /tmp/mine";

whereConfined(() => {
  test("the space of a run is kept for its next command, and another run has its own", async () => {
    const { ran } = confined(NO_LIMITS, createConfine(createSpaces()));
    const said = async (run: string) => (await ran(LOOK, { confinement: confinement({ run }) })).stdout.text;
    expect([await said("one"), await said("one"), await said("two")]).toEqual(["", "kept\n", ""]);
  });

  test("a space that is not used is given up, and the next command has a new one", async () => {
    const { ran } = confined(NO_LIMITS, createConfine(createSpaces(1)));
    const over = { confinement: confinement({ run: "one" }) };
    // It stays while it is used, for however long.
    expect((await ran(`sleep 0.3; ${LOOK}`, over)).stdout.text).toBe("");
    await sleep(100);
    expect((await ran(LOOK, over)).stdout.text).toBe("");
  });

  test("the space of a run that has ended is given up, and no other", async () => {
    const spaces = createSpaces();
    const { ran } = confined(NO_LIMITS, createConfine(spaces));
    const said = async (run: string) => (await ran(LOOK, { confinement: confinement({ run }) })).stdout.text;
    expect([await said("one"), await said("two")]).toEqual(["", ""]);
    spaces.endRun("one");
    expect([await said("one"), await said("two")]).toEqual(["", "kept\n"]);
  });

  test("a directory that was replaced is found again", async () => {
    const [work = ""] = files("work/");
    const { ran } = confined(NO_LIMITS, createConfine(createSpaces()));
    const over = () => ({ cwd: work, confinement: confinement({ run: "one", writable: [work] }) });
    await ran("echo first > x", over());
    renameSync(work, `${work.replace(/\/$/, "")}-old`);
    mkdirSync(work);
    await ran("echo second > x", over());
    expect(readFileSync(`${work}x`, "utf8")).toBe("second\n");
  });
});
