// The same thing twice at once, and its opposite at once: one of them wins, the other is told how things stand.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { type Answer, linesOf } from "../../support/orch-process.ts";
import { soundServer } from "./sound-server.ts";

const { orch, data_dir } = soundServer();
const ROUNDS = [1, 2, 3, 4, 5];

const submit = (task_id: string, over: object = {}) =>
  orch().post("/v1/tasks", contractBody({ task_id, target: { service: task_id }, ...over }));
const taskOf = async (task_id: string) => (await orch().get(`/v1/tasks/${task_id}?wait_seconds=30`)).body;
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();

describe("submits of one id at once", () => {
  test.each([2, 10])("%i of the same contract are one task", async (count) => {
    const task_id = `same-${count}`;
    const answers = await Promise.all(Array.from({ length: count }, () => submit(task_id)));
    expect(statuses(answers)).toEqual(Array(count).fill(200));
    await taskOf(task_id);
    const { journal } = (await orch().get(`/v1/tasks/${task_id}/evidence`)).body;
    const kinds = journal.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(["task_accepted", "taken_up", "reported"]);
  });

  test.each([2, 10])("%i different contracts are one task, and the others are told which", async (count) => {
    const task_id = `different-${count}`;
    const answers = await Promise.all(
      Array.from({ length: count }, (_, n) => submit(task_id, { requested_by: `brain ${n}` })),
    );
    expect(statuses(answers)).toEqual([200, ...Array(count - 1).fill(409)]);
    const { contract } = (await orch().get(`/v1/tasks/${task_id}/evidence`)).body;
    for (const { status, body } of answers) {
      if (status === 409) expect(body).toMatchObject({ code: "task_exists", current: { task_id, contract } });
    }
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(contract.requested_by).toBe(`brain ${winner}`);
  });
});

describe("decisions on one approval at once", () => {
  const ran = () => join(data_dir(), "ran");

  /** A task that waits for an approval: no model is there to say that the category does not match. */
  async function ask(task_id: string): Promise<string> {
    const constraints = { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 1 };
    await submit(task_id, { constraints, wait_seconds: 30 });
    const steps = [
      { kind: "cmd", value: `echo "$ORCH_TASK_ID" >> "${ran()}"` },
      { kind: "check", value: "true" },
    ];
    const { body } = await orch().post("/v1/teach", { task_id, steps, wait_seconds: 30 });
    expect(body.task.status).toBe("need_approval");
    return body.task.waiting.approval_id;
  }

  const decide = (approval_id: string, decision: string) => orch().post("/v1/approve", { approval_id, decision });

  test.each(ROUNDS)("that differ are settled by the first, and it alone counts (%i)", async (round) => {
    const task_id = `differ-${round}`;
    const approval_id = await ask(task_id);
    const order = round % 2 === 0 ? ["approve", "reject"] : ["reject", "approve"];
    const answers = await Promise.all(order.map((decision) => decide(approval_id, decision)));
    expect(statuses(answers)).toEqual([200, 409]);
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    const { status } = won?.body ?? {};
    expect(lost?.body).toMatchObject({ code: "approval_not_pending", current: { approval_id, status } });
    const expected = status === "approved" ? "ok" : "blocked";
    expect((await taskOf(task_id)).status).toBe(expected);
    const times = linesOf(ran()).filter((line) => line === task_id).length;
    expect(times).toBe(status === "approved" ? 1 : 0);
  });

  test("that agree are both answered with the decision, and the plan runs once", async () => {
    const approval_id = await ask("agree");
    const answers = await Promise.all([decide(approval_id, "approve"), decide(approval_id, "approve")]);
    expect(answers).toMatchObject(Array(2).fill({ status: 200, body: { approval_id, status: "approved" } }));
    expect((await taskOf("agree")).status).toBe("ok");
    expect(linesOf(ran()).filter((line) => line === "agree")).toHaveLength(1);
    expect(await decide(approval_id, "approve"), "the same again, later").toMatchObject({ status: 200 });
    expect(await decide(approval_id, "reject"), "another one, later").toMatchObject({
      status: 409,
      body: { current: { status: "approved" } },
    });
  });

  test.each(ROUNDS)("end the task one way when one of them is a cancel (%i)", async (round) => {
    const task_id = `withdrawn-${round}`;
    const approval_id = await ask(task_id);
    const [approve, cancel] = await Promise.all([
      decide(approval_id, "approve"),
      orch().post(`/v1/tasks/${task_id}/cancel`, {}),
    ]);
    const { status } = await taskOf(task_id);
    const times = linesOf(ran()).filter((line) => line === task_id).length;
    if (approve.status === 409) expect({ status, times }).toEqual({ status: "cancelled", times: 0 });
    else if (cancel.status === 409) expect({ status, times }).toEqual({ status: "ok", times: 1 });
    else expect({ status, late: times > 1 }).toEqual({ status: "cancelled", late: false });
  });

  test("with a digest that is not the approval's change nothing", async () => {
    const approval_id = await ask("digest");
    const answer = await orch().post("/v1/approve", { approval_id, decision: "approve", digest: "0".repeat(64) });
    expect(answer).toMatchObject({ status: 409, body: { code: "digest_mismatch", current: { status: "pending" } } });
    expect((await taskOf("digest")).status).toBe("need_approval");
  });

  test("without an id, with several pending, are answered with the list", async () => {
    await ask("several");
    const { status, body } = await orch().post("/v1/approve", { decision: "approve" });
    expect(status).toBe(409);
    expect(body.code).toBe("approval_ambiguous");
    expect(body.current.map(({ thread_id }: { thread_id: string }) => thread_id)).toContain("several");
  });
});
