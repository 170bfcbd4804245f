// Texts that are made to cost hold up no other request: the server answers while it judges them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SIXTY_COSTLY as SIXTY } from "../../src/guard/test/guard/hostile-shapes.ts";
import { check, cmd, contractBody } from "../support/builders.ts";
import { type Answer, type OrchProcess, startOrchProcess, temporaryDirectory } from "../support/orch-process.ts";

const contract = contractBody({ success_criteria: [] });

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let orch: OrchProcess;
beforeAll(async () => {
  directory = await temporaryDirectory();
  orch = await startOrchProcess({ data_dir: directory.path, env: { ORCH_REQUESTS_PER_SECOND: "0" } });
});
afterAll(async () => {
  await orch.kill("SIGTERM");
  await directory[Symbol.asyncDispose]();
});

const explained = (texts: readonly string[]) => orch.post("/v1/explain", { contract, steps: texts.map(cmd) });

/** Asks for something else again and again until the answer is there. */
async function askedMeanwhile(answer: Promise<Answer>): Promise<{ readonly asked: number; readonly answer: Answer }> {
  let asked = 0;
  let isThere = false;
  const watched = answer.finally(() => {
    isThere = true;
  });
  while (!isThere) {
    expect((await orch.get("/healthz")).status).toBe(200);
    asked += 1;
  }
  return { asked, answer: await watched };
}

describe("a server that judges texts that are made to cost", () => {
  test("answers others meanwhile, and says of the later ones that they take too long", async () => {
    const { asked, answer } = await askedMeanwhile(explained([...SIXTY.slice(0, 45), "ls", "rm -rf /usr"]));
    expect(asked).toBeGreaterThan(20);
    expect(answer.status).toBe(200);
    const { would, steps } = answer.body;
    expect(would).toBe("block");
    expect(steps[45].findings).toMatchObject([{ verdict: "ask", code: "cap.count" }]);
    expect(steps[46].findings).toMatchObject([{ code: "rm.wide" }, { code: "cap.count" }]);
  });

  test("answers others while such steps are taught, and refuses them", async () => {
    const steps = [...SIXTY.slice(0, 40).map(cmd), ...SIXTY.slice(0, 10).map(check)];
    const { asked, answer } = await askedMeanwhile(orch.post("/v1/teach", { intent: "deploy", target: {}, steps }));
    expect(asked).toBeGreaterThan(20);
    expect(answer).toMatchObject({ status: 422, body: { code: "sop_steps_invalid" } });
    expect(answer.body.issues.at(-1)).toMatchObject({ path: "steps.49", message: expect.stringMatching(/too long/) });
  });

  test("goes on with tasks while others have such plans explained, which on a busy machine are refused for now", async () => {
    const target = { service: "calm" };
    const taught = await orch.post("/v1/teach", { intent: "restart", target, steps: [check("test -d /")] });
    await orch.post("/v1/approve", { approval_id: taught.body.approval_id, decision: "approve" });
    const explaining = Promise.all(Array.from({ length: 4 }, () => explained(SIXTY)));
    const body = contractBody({ task_id: "calm-1", intent: "restart", target, success_criteria: [] });
    const submitted = await orch.post("/v1/tasks", { ...body, delegation_mode: "known_only", wait_seconds: 40 });
    expect(submitted.body).toMatchObject({ status: "need_approval", outcome: { reason_code: "approval_required" } });
    const other = (await explaining).filter(({ status, body }) => status !== 200 && body.code !== "busy");
    expect(other).toEqual([]);
  });
});
