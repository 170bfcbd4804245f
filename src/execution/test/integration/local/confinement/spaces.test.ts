// How long the space of a run is kept: commands share it while they follow one another.
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { NO_LIMITS } from "../../../../sandbox/sandbox.ts";
import { createSpaces } from "../../../../sandbox/spaces.ts";
import { confined, confinedTo, files, whereConfined } from "./confined-commands.ts";

const LOOK = "cat /tmp/mine || true; echo kept > /tmp/mine";

whereConfined(() => {
  test("the space of a run is kept for its next command, and another run has its own", async () => {
    const { ran } = confined(NO_LIMITS, createSpaces());
    const said = async (run: string) => (await ran(LOOK, { sandbox: confinedTo({ run }) })).stdout.text;
    expect([await said("one"), await said("one"), await said("two")]).toEqual(["", "kept\n", ""]);
  });

  test("a space that is not used is given up, and the next command has a new one", async () => {
    const { ran } = confined(NO_LIMITS, createSpaces({ idle_ms: 1 }));
    const over = { sandbox: confinedTo({ run: "one" }) };
    // It stays while it is used, for however long.
    expect((await ran(`sleep 0.3; ${LOOK}`, over)).stdout.text).toBe("");
    await sleep(100);
    expect((await ran(LOOK, over)).stdout.text).toBe("");
  });

  test("the space of a run that has ended is given up, and no other", async () => {
    const spaces = createSpaces();
    const { ran } = confined(NO_LIMITS, spaces);
    const said = async (run: string) => (await ran(LOOK, { sandbox: confinedTo({ run }) })).stdout.text;
    expect([await said("one"), await said("two")]).toEqual(["", ""]);
    spaces.endRun("one");
    expect([await said("one"), await said("two")]).toEqual(["", "kept\n"]);
  });

  test("a directory that was replaced is found again", async () => {
    const [work = ""] = files("work/");
    const { ran } = confined(NO_LIMITS, createSpaces());
    const over = () => ({ cwd: work, sandbox: confinedTo({ run: "one", writable: [work] }) });
    await ran("echo first > x", over());
    renameSync(work, `${work.replace(/\/$/, "")}-old`);
    mkdirSync(work);
    await ran("echo second > x", over());
    expect(readFileSync(`${work}x`, "utf8")).toBe("second\n");
  });

  // Each may use a third of it.
  const MIB = 2 ** 20;
  const write = (mib: number, path: string) => `head -c ${mib * MIB} /dev/zero > ${path}`;
  const limitedTo = (total_mib: number, wait_ms?: number) => {
    const spaces = createSpaces({ total_bytes: total_mib * MIB, ...(wait_ms !== undefined && { wait_ms }) });
    const { run, ran } = confined(NO_LIMITS, spaces);
    const over = (name: string) => ({ sandbox: confinedTo({ run: name }), strict: false });
    return {
      end: (name: string, script: string) => run(script, over(name)),
      said: async (name: string, script: string) => (await ran(script, over(name))).stdout.text.trim(),
    };
  };

  test("ten runs that wait hold no more than the limit of all: the oldest are given up (promises 4.9)", async () => {
    const { said } = limitedTo(64);
    const names = Array.from({ length: 10 }, (_, at) => `run-${at}`);
    for (const name of names) expect(await said(name, `${write(12, "/tmp/x")} && echo written`)).toBe("written");
    // Each look takes the share of one that is used.
    let held = 0;
    for (const name of names.toReversed()) {
      if ((await said(name, "stat -c %s /tmp/x 2> /dev/null")) === "") break;
      held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(3);
    expect(held * 12).toBeLessThanOrEqual(64);
  });

  test.each([
    ["one file", write(24, "/tmp/x")],
    [
      "its directories together",
      ["/tmp/x", "$HOME/x", "/run/x", "/dev/shm/x"].map((path) => write(6, path)).join(" && "),
    ],
    ["files without content", "for n in {1..12000}; do : > /tmp/$n || exit 1; done"],
    ["directories", "for n in {1..12000}; do echo /tmp/d$n; done | xargs mkdir"],
    ["a file that was removed and is open", `exec 9> /tmp/x; rm /tmp/x; head -c ${24 * MIB} /dev/zero >&9`],
  ])("a run does not get more than its part: %s (promises 4.9)", async (_, script) => {
    const { said } = limitedTo(64);
    expect(await said("one", `( ${script} ) 2> /dev/null && echo fits || echo full`)).toBe("full");
  });

  test("what a run holds while it waits is there when it goes on (promises 4.9)", async () => {
    const { said } = limitedTo(64);
    await said("one", `${write(12, "/tmp/x")}; echo kept > /tmp/kept`);
    for (const name of ["two", "three"]) await said(name, write(12, "/tmp/x"));
    expect(await said("one", "cat /tmp/kept")).toBe("kept");
  });

  test("a run waits where all that may run at once do, and begins when one has ended (promises 4.9)", async () => {
    const { said, end } = limitedTo(64);
    const busy = ["one", "two", "three"].map((name) => end(name, "sleep 2"));
    await sleep(500);
    expect(await said("five", "echo began")).toBe("began");
    for (const one of await Promise.all(busy)) expect(one).toMatchObject({ ran: true, exit_code: 0 });
  });

  test("a run that waits for too long does not begin, and says which setting it is (promises 4.9)", async () => {
    const { end } = limitedTo(64, 100);
    const busy = ["one", "two", "three"].map((name) => end(name, "sleep 3"));
    await sleep(1_000);
    expect(await end("five", "echo began")).toMatchObject({
      ran: false,
      reason: expect.stringContaining("AGENT_SPACES_MB"),
    });
    await Promise.all(busy);
    expect(await end("five", "echo began")).toMatchObject({ ran: true, exit_code: 0 });
  });
});
