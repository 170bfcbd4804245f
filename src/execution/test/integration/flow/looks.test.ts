// The flow's script looks at the checks that it is asked for, before its first step and in the same job (D-198).
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { check, cmd } from "../../../../../test/support/builders.ts";
import { FlowOutput } from "../../../../domain/run-request.ts";
import { aJob, childrenOf } from "./a-job.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "flow-looks-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const at = (name: string) => `'${directory}/${name}'`;
const outputOf = async (job: Awaited<ReturnType<typeof aJob>>) => FlowOutput.parse((await job.ended)?.result);

describe("the looks of the flow's script", () => {
  test("are made once, before the first step, and are part of its report and its log", async () => {
    const steps = [
      cmd(`echo step >> ${at("trace")}; touch ${at("goal")}`),
      check(`echo look >> ${at("trace")}; test -e ${at("goal")}`),
      check("kill -KILL $$"),
    ];
    const job = await aJob(steps, { context: { look_at: [1, 2] } });
    const { before_looks, step_results } = await outputOf(job);
    expect(before_looks).toMatchObject([
      { step_index: 1, answer: "red", exit_code: 1, reason: null, printed: "" },
      { step_index: 2, answer: "cannot_tell", reason: "it could not be run" },
    ]);
    expect(step_results.map(({ status }) => status)).toEqual(["passed", "passed", "failed"]);
    expect(await readFile(join(directory, "trace"), "utf8")).toBe("look\nstep\nlook\n");
    const lines = job.log().split("\n").slice(0, 3);
    expect(lines.map((line) => line.replace(/duration_ms=\d+$/, "duration_ms=N"))).toEqual([
      "orch: check 1 red before the first step duration_ms=N",
      "orch: check 2 cannot_tell before the first step duration_ms=N",
      "orch: step 0 cmd started",
    ]);
  });

  test("are none where it is not asked, and the report is as before", async () => {
    const job = await aJob([cmd("true"), check("test -d /")]);
    const result = (await job.ended)?.result as object;
    expect(Object.keys(result)).toEqual(["ok", "summary", "step_results", "evidence"]);
    expect(job.log()).not.toContain("before the first step");
  });

  test("hand what a check printed to its run after, and to no other check", async () => {
    const compares = check('echo "$RANDOM$RANDOM"; echo "was $ORCH_BEFORE"; test -n "$ORCH_BEFORE"');
    const other = check('v=ORCH_; w=BEFORE; declare -n u="$v$w"; echo "[$u]"');
    const job = await aJob([cmd("true"), compares, other], { context: { look_at: [1, 2] } });
    const { before_looks = [], step_results } = await outputOf(job);
    const [first] = before_looks;
    expect(first).toMatchObject({ answer: "red", printed: expect.stringMatching(/^\d+\nwas$/) });
    expect(step_results[1]?.stdout.endsWith(`was ${first?.printed}\n`)).toBe(true);
    expect(step_results[2]?.stdout).toBe("[]\n");
  });

  test("are handed over from an earlier job, also a text that an engine could take for a reference", async () => {
    const before = JSON.stringify({ 0: "$var:f/orch/token" });
    const job = await aJob([check('echo "$ORCH_BEFORE"')], { context: { before } });
    const { before_looks, step_results } = await outputOf(job);
    expect([before_looks, step_results[0]?.stdout]).toEqual([undefined, "$var:f/orch/token\n"]);
  });

  test("run four at once, and all of their processes end with a script that is killed", async () => {
    const steps = [
      cmd("true"),
      ...Array.from({ length: 5 }, (_, n) => check(`echo $$ > ${at(`pid${n}`)}; sleep 30 & wait`)),
    ];
    const job = await aJob(steps, { context: { look_at: [1, 2, 3, 4, 5] } });
    const pids = [0, 1, 2, 3].map((n) => join(directory, `pid${n}`));
    const written = () => pids.map((file) => (existsSync(file) ? readFileSync(file, "utf8") : ""));
    await expect.poll(() => written().every((text) => text.endsWith("\n")), { timeout: 10_000 }).toBe(true);
    const groups = written().map(Number);
    expect(existsSync(join(directory, "pid4"))).toBe(false);
    job.child.kill("SIGKILL");
    await job.ended;
    const isGone = (group: number) => !existsSync(`/proc/${group}`) && childrenOf(group).length === 0;
    await expect.poll(() => groups.filter(isGone).length, { timeout: 10_000 }).toBe(4);
  });

  test("count for nothing in a job that is stopped meanwhile, and no step runs", async () => {
    const job = await aJob([cmd(`touch ${at("ran")}`), check("sleep 30")], { context: { look_at: [1] } });
    await expect.poll(() => childrenOf(job.child.pid).length, { timeout: 10_000 }).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    job.child.kill("SIGTERM");
    expect(await outputOf(job)).not.toHaveProperty("before_looks");
    expect(existsSync(join(directory, "ran"))).toBe(false);
  });
});

test("promises 3.1: a pipeline of a named step is decided by its last part, also in a look, and no other one is", async () => {
  const many = "awk 'BEGIN { for (i = 1; i <= 200000; i++) print i }'";
  const text = `if ${many} | grep -q '^3$'; then exit 1; fi; test -d /`;
  const steps = [check(`! false | cat`), check(text)];
  const output = await outputOf(await aJob(steps, { context: { look_at: [1], last_part_decides: [1] } }));
  expect(output.step_results.map(({ exit_code }) => exit_code)).toEqual([0, 1]);
  expect(output.before_looks).toMatchObject([{ step_index: 1, answer: "red", exit_code: 1 }]);
});
