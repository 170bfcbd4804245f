// A real server is killed in the middle of steps that have a reconcile command (D-299): its exit code settles the step, nothing runs
// twice, and a human is asked only about the rest.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { processesOf, runnerOf } from "../../chaos/processes.ts";
import { check } from "../../support/builders.ts";
import { linesOf, type OrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { begin, kindsOf, lines, serve, settled } from "./begin.ts";

/** Has its effect once the test creates the file `go`. */
const waiting = (name: string) =>
  `echo $$ >> ${name}-begun; until test -e go; do sleep 0.02; done; echo x >> ${name}-effect`;
/** What comes after its effect is cut off. */
const over = (name: string) => `echo x >> ${name}-effect; echo $$ >> ${name}-begun; sleep 60`;
const stepsOf = (value: string, reconcile: string) => [{ kind: "cmd", value, reconcile } as const, check("test -d /")];
const looksFor = (name: string) => `test -s ${name}-effect`;

const go = (data_dir: string) => writeFile(join(data_dir, "go"), "");
const effectsOf = (data_dir: string, name: string) => linesOf(join(data_dir, `${name}-effect`)).length;

async function bundleOf(orch: OrchProcess, task_id: string) {
  const { body } = await orch.get(`/v1/tasks/${task_id}/evidence`);
  const { journal } = body;
  const without = { ...body, journal: journal.filter(({ kind }: { kind: string }) => kind !== "step_reconciled") };
  return {
    reconciliations: body.reconciliations,
    faults: verifyBundle(body).faults,
    unlicensed: verifyBundle(without).faults.join("\n"),
  };
}

test.concurrent("a step of a killed server is settled, repeated or asked about, as its reconcile command says", async () => {
  await using directory = await temporaryDirectory();
  const { path: data_dir } = directory;
  await using first = await serve({ data_dir });
  await begin(first, "done", stepsOf(over("done"), looksFor("done")));
  await begin(first, "open", stepsOf(waiting("open"), looksFor("open")));
  await begin(first, "unclear", stepsOf(waiting("unclear"), "grep -q x no-such-file"));
  for (const name of ["done", "open", "unclear"]) await lines(data_dir, `${name}-begun`);
  await first.kill("SIGKILL");
  await using second = await serve({ data_dir });

  expect(await settled(second, "done")).toMatchObject({ status: "ok", steps: [{ status: "passed", attempt: 1 }, {}] });
  expect(await bundleOf(second, "done")).toMatchObject({
    faults: [],
    reconciliations: [{ index: 0, attempt: 1, exit_code: 0, says: "done", may_run: null, settles: "succeeded" }],
  });

  const { outcome } = await settled(second, "unclear");
  expect(outcome.reason_code).toBe("step_outcome_unknown");
  expect(outcome.message).toMatch(/Its reconcile command says not whether it is done \(exit code 2\)\.$/);

  await lines(data_dir, "open-begun", 2);
  await go(data_dir);
  expect(await settled(second, "open")).toMatchObject({ status: "ok", steps: [{ status: "passed", attempt: 2 }, {}] });
  expect(await bundleOf(second, "open")).toMatchObject({
    faults: [],
    unlicensed: expect.stringContaining("starts a step again without a licence to repeat it"),
    reconciliations: [{ exit_code: 1, says: "not_done", may_run: null, settles: "retry" }],
  });

  await second.post("/v1/tasks/unclear/resolve", { resolution: "retry" });
  expect((await settled(second, "unclear")).status).toBe("ok");
  expect((await bundleOf(second, "unclear")).faults).toEqual([]);
  expect(["done", "open", "unclear"].map((name) => effectsOf(data_dir, name))).toEqual([1, 1, 1]);
});

test.concurrent("a step that ignores its end is waited for before its reconcile command looks", async () => {
  await using directory = await temporaryDirectory();
  const { path: data_dir } = directory;
  await using first = await serve({ data_dir });
  const stubborn = "trap '' TERM; echo $$ >> t-begun; sleep 4; echo x >> t-effect";
  await begin(first, "t", stepsOf(stubborn, looksFor("t")));
  await lines(data_dir, "t-begun");
  await first.kill("SIGKILL");
  await using second = await serve({ data_dir });
  expect(await settled(second, "t")).toMatchObject({ status: "ok", steps: [{ attempt: 1 }, {}] });
  expect(effectsOf(data_dir, "t")).toBe(1);
  expect((await bundleOf(second, "t")).faults).toEqual([]);
});

test.concurrent("a reconcile command in which the server is killed too runs again once the parked task goes on", async () => {
  await using directory = await temporaryDirectory();
  const { path: data_dir } = directory;
  const look = `until test -e looks; do sleep 0.02; done; ${looksFor("t")}`;
  await using first = await serve({ data_dir });
  await begin(first, "t", stepsOf(over("t"), look));
  await lines(data_dir, "t-begun");
  await first.kill("SIGKILL");
  await using second = await serve({ data_dir });
  while (!processesOf(data_dir).some((one) => one.includes("looks"))) await sleep(20);
  await second.kill("SIGKILL");
  await using third = await serve({ data_dir });
  expect((await settled(third, "t")).outcome.reason_code).toBe("parked");
  await writeFile(join(data_dir, "looks"), "");
  await third.post("/v1/tasks/t/resolve", { resolution: "retry" });
  expect(await settled(third, "t")).toMatchObject({ status: "ok", steps: [{ status: "passed", attempt: 1 }, {}] });
  expect(effectsOf(data_dir, "t")).toBe(1);
  expect((await kindsOf(third, "t")).filter((kind) => kind === "step_reconciled")).toHaveLength(1);
  expect((await bundleOf(third, "t")).faults).toEqual([]);
});

test.concurrent("a step whose process for commands was killed is reconciled by the same server", async () => {
  await using directory = await temporaryDirectory();
  const { path: data_dir } = directory;
  await using orch = await serve({ data_dir });
  await begin(orch, "t", stepsOf(waiting("t"), looksFor("t")));
  await lines(data_dir, "t-begun");
  process.kill(runnerOf(orch.child.pid) ?? Number.NaN, "SIGKILL");
  await lines(data_dir, "t-begun", 2);
  await go(data_dir);
  expect(await settled(orch, "t")).toMatchObject({ status: "ok", steps: [{ attempt: 2 }, {}] });
  expect(effectsOf(data_dir, "t")).toBe(1);
  expect((await bundleOf(orch, "t")).faults).toEqual([]);
});
