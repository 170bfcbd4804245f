// A disk that fills up while the server works: no step counts as done that is not recorded, no answer says that anything
// was stored which was not, and once there is room everything goes on without a step being run twice.
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { linesOf, type OrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { expectSound, fileServers } from "./sound-server.ts";

const { startServer } = fileServers();

const CONSTRAIN = join(import.meta.dirname, "constrain.ts");
const LIMIT_KIB = 900;
const STEPS = 60;
const FULL = { status: 503, body: { code: "database_unusable" } };
const CUT_OFF = /"task_id":"filling".*cut off by an error/;

/** Each step leaves a mark and 20 KB of output, so that the database is full long before the last of them. */
const stepsInto = (marks: string) => [
  ...Array.from({ length: STEPS }, (_, n) => ({
    kind: "cmd",
    value: `echo ${n} >> "${marks}"; head -c 20000 /dev/zero | tr '\\0' x`,
  })),
  { kind: "check", value: `test "$(wc -l < "${marks}")" = ${STEPS}` },
];

const submit = ({ post }: OrchProcess, task_id: string) =>
  post("/v1/tasks", contractBody({ task_id, target: { service: task_id }, wait_seconds: 30 }));

const teach = ({ post }: OrchProcess, task_id: string, steps: unknown) => post("/v1/teach", { task_id, steps });

/** Sends tasks until one is refused: from then on there is no room for anything. */
async function fillUp(orch: OrchProcess): Promise<string[]> {
  const accepted: string[] = [];
  for (let n = 0; ; n++) {
    const answer = await orch.post("/v1/tasks", contractBody({ task_id: `filler-${n}`, target: { service: `f${n}` } }));
    if (answer.status !== 200) {
      expect(answer).toMatchObject(FULL);
      return accepted;
    }
    accepted.push(`filler-${n}`);
  }
}

test("a disk that fills up in the middle of a procedure loses nothing and repeats nothing", async () => {
  await using directory = await temporaryDirectory();
  const data_dir = directory.path;
  const marks = join(data_dir, "marks");
  const bounded = await startServer({
    data_dir,
    preload: CONSTRAIN,
    env: { CONSTRAIN_FILE_KIB: String(LIMIT_KIB) },
  });
  await submit(bounded, "asking");
  await submit(bounded, "filling");
  expect(await teach(bounded, "filling", stepsInto(marks))).toMatchObject({ status: 200 });
  await expect.poll(bounded.output, { timeout: 20_000, interval: 50 }).toMatch(CUT_OFF);
  const accepted = await fillUp(bounded);

  // What is recorded ran, what ran and is not recorded is not called done, and nothing new is promised.
  const ran = linesOf(marks);
  expect(ran).toEqual([...ran.keys()].map(String));
  expect(ran.length).toBeGreaterThan(0);
  expect(ran.length).toBeLessThan(STEPS);
  const { body } = await bounded.get("/v1/tasks/filling");
  expect(body.status).not.toBe("ok");
  const passed = body.steps.filter(({ status }: { status: string }) => status === "passed").length;
  expect(passed).toBeLessThanOrEqual(ran.length);
  expect(passed).toBeGreaterThanOrEqual(ran.length - 1);
  expect(await submit(bounded, "too-late")).toMatchObject(FULL);
  expect(await teach(bounded, "asking", [{ kind: "check", value: `echo taught >> "${marks}"` }])).toMatchObject(FULL);
  expect(await bounded.post("/v1/tasks/asking/cancel", {})).toMatchObject(FULL);
  expect((await bounded.get("/healthz")).status).toBe(200);
  expect((await bounded.get("/v1/tasks/asking")).body.status).toBe("need_input");
  expect(await bounded.kill("SIGTERM"), bounded.output()).toBe(0);

  const orch = await startServer({ data_dir });
  const task = await untilItEnds(orch);
  expect(task).toMatchObject({ status: "ok" });
  expect(linesOf(marks)).toEqual(Array.from({ length: STEPS }, (_, n) => String(n)));
  expect((await orch.get("/v1/tasks/too-late")).status).toBe(404);
  expect((await orch.get("/v1/tasks/asking")).body.status).toBe("need_input");
  for (const task_id of accepted) {
    expect((await orch.get(`/v1/tasks/${task_id}?wait_seconds=30`)).body.status, task_id).toBe("need_input");
  }
  await expectSound(orch, data_dir);
  expect(await orch.kill("SIGTERM")).toBe(0);
});

/** Plays the supervisor, who has looked at the marks: the step that is asked about did take effect. */
async function untilItEnds({ get, post }: OrchProcess) {
  let { body } = await get("/v1/tasks/filling?wait_seconds=50");
  if (body.status === "need_input") {
    expect(body.outcome.reason_code).toBe("step_outcome_unknown");
    const answer = { resolution: "succeeded", reason: "its mark is there", wait_seconds: 50 };
    ({ body } = await post("/v1/tasks/filling/resolve", answer));
  }
  return body;
}
