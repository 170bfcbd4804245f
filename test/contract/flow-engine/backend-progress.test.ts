// The progress of a running job: orch reports each line of the flow's log once, as it arrives.
import { describe, expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { lastJob, PATIENT, runnerOn, startEngineRun } from "../../support/engine-run.ts";

describe("progress", () => {
  const STARTED = ["orch: step 0 cmd started", "orch: step 1 cmd started", "orch: step 2 check started"];
  const of = (lines: readonly string[]) => lines.filter((line) => line.startsWith("orch: "));

  test("is reported line by line, each line once, without the output of commands", async () => {
    await using it = await startEngineRun({}, { timing: PATIENT });
    const output = it.run([cmd("echo one"), cmd("sleep 1.5"), check("test -d /")]);
    await expect.poll(() => it.lines, { timeout: 10_000 }).toContain(STARTED[1]);
    expect(it.told, "before the job has ended").toEqual(["started 0/1 through 2"]);
    expect(await output).toMatchObject({ ok: true });
    expect(of(it.lines).filter((line) => line.endsWith("started"))).toEqual(STARTED);
    expect(of(it.lines)).toHaveLength(6);
    expect(of(it.lines).map((line) => line.replace(/duration_ms=\d+/, ""))[1]).toBe(
      "orch: step 0 cmd passed exit_code=0 ",
    );
    expect(it.lines).not.toContain("one");
  });

  test("is requested from the log offset that the engine sent last", async () => {
    await using it = await startEngineRun({}, { timing: PATIENT });
    await it.run([cmd("sleep 1.5"), check("test -d /")]);
    const offsets = it.engine.requests
      .filter(({ kind }) => kind === "logs")
      .map(({ url }) => Number(new URL(url, "http://engine").searchParams.get("log_offset")));
    expect(offsets.length).toBeGreaterThan(2);
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    expect(offsets[0]).toBe(0);
    expect(offsets.at(-1)).toBeGreaterThan(0);
  });

  test("is read again from its beginning by the next server, with the same lines", async () => {
    await using it = await startEngineRun({}, { timing: PATIENT });
    const steps = [cmd("echo one"), cmd("sleep 1"), check("test -d /")];
    const output = it.run(steps);
    await expect.poll(() => it.lines, { timeout: 10_000 }).toContain("orch: step 1 cmd started");
    it.leave();
    await output;
    const next = runnerOn(it.engine, { timing: PATIENT });
    const last_job = lastJob(it.engine, it.engine.jobs[0]?.id ?? "", steps);
    await next.run(steps, { last_job, started_at: new Date().toISOString() });
    await next.close();
    expect(next.lines.slice(0, it.lines.length)).toEqual(it.lines);
    expect(of(next.lines)).toHaveLength(6);
  });
});
