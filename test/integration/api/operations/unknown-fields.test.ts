// Fields of a contract that orch does not know: the contract says at submit, in explain and in its approval what has no effect, and a
// known field that is misplaced or misspelt is refused. What an earlier version has stored goes on.
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { createOut } from "../../../../src/cli/out.ts";
import { explanationLines } from "../../../../src/cli/show-explanation.ts";
import { taskLines } from "../../../../src/cli/show-task.ts";
import { check, cmd } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";

let now = Date.parse("2026-11-26T20:00:00.000Z");
const engine = held(await openEngine({ clock: () => new Date(now) }));

const OUT = createOut({ stdout: new PassThrough(), stderr: new PassThrough(), json: false });

const known = (name: string, more: Record<string, unknown> = {}) => ({
  ...engine.contract(name, { delegation_mode: "known_only", success_criteria: [], ...more }),
});
const scheduled = (name: string, more: Record<string, unknown> = {}) => {
  const { task_id: _task_id, requested_at: _at, ...contract } = known(name, more);
  return { name, contract, every: "10s" };
};
const learn = (name: string) =>
  engine.learn("deploy", engine.targetOf(name), [cmd(`echo x >> ${name}`), check(`test -s ${name}`)]);

/** As an earlier version did, which refused no name. */
async function storedBefore(name: string, input: object) {
  const { signal } = new AbortController();
  const operation = engine.operations.find((one) => one.name === name);
  return operation?.handle(operation.input.parse(input), { token_id: "supervisor", signal });
}

describe("a known field that is misplaced or misspelt", () => {
  const WRONG = [
    ["require_approval_for", ["deletes_data"], "constraints.require_approval_for"],
    ["skip_if_don", true, "skip_if_done"],
  ] as const;

  test.each(WRONG)("%s is refused wherever a contract is sent, and nothing runs", async (field, value, meant) => {
    const name = `wrong-${field}`;
    await learn(name);
    const message = `is not a known field here; did you mean ${meant}?`;
    const wrong = { [field]: value };
    const submitted = await engine.refusal("submit_task", { ...known(name, wrong), wait_seconds: 5 });
    expect(submitted).toMatchObject({ code: "contract_invalid", issues: [{ path: field, message }] });
    expect(submitted.message).toBe(`${field} ${message}`);
    for (const [operation, input] of [
      ["explain", { contract: known(name, wrong) }],
      ["add_schedule", scheduled(name.replaceAll("_", "-"), wrong)],
    ] as const) {
      const refused = await engine.refusal(operation, input);
      expect(refused).toMatchObject({ code: "input_invalid", issues: [{ path: `contract.${field}`, message }] });
    }
    expect((await engine.refusal("get_task", { task_id: name })).code).toBe("task_not_found");
    expect(engine.linesOf(name)).toEqual([]);
  });

  test("is named beside every other wrong field, also inside the constraints", async () => {
    const { constraints: _constraints, ...rest } = known("all-wrong", { intent: "make_coffee" });
    const constraints = { implicit_scope: [], require_approval_for: [], skip_if_done: true, surprise: 1 };
    const { issues } = await engine.refusal("submit_task", { ...rest, constraint: 1, constraints });
    expect(issues.map(({ path, message }) => [path, message.slice(0, 30)])).toEqual([
      ["constraints.surprise", "is not a known field"],
      ["intent", "is not a known intent; use one"],
      ["constraint", "is not a known field here; did"],
      ["constraints.skip_if_done", "is not a known field here; did"],
    ]);
  });

  test("changes nothing where a task or a schedule is stored with it already", async () => {
    await learn("before");
    const sent = known("before", { skip_if_don: true });
    await storedBefore("submit_task", { ...sent, wait_seconds: 30 });
    const again = await engine.call("submit_task", { ...sent, wait_seconds: 30 });
    expect(again).toMatchObject({ status: "ok", ignored: "kept, and without effect: skip_if_don" });
    expect((await engine.call("explain", { contract: sent })).would).toBe("run");
    expect((await engine.refusal("submit_task", { ...sent, payload: { other: 1 } })).code).toBe("contract_invalid");

    const schedule = scheduled("kept-up", { target: engine.targetOf("before"), skip_if_don: true });
    await storedBefore("add_schedule", schedule);
    expect(await engine.call("add_schedule", schedule)).toMatchObject({ would: "run" });
    now += 11_000;
    await engine.armFeatures();
    await expect.poll(async () => (await engine.call("get_schedule", { name: "kept-up" })).schedule.runs).toBe(1);
    const { last_task_id } = (await engine.call("get_schedule", { name: "kept-up" })).schedule;
    expect(await engine.outcomeOf(last_task_id)).toMatchObject({ status: "ok" });
    expect(engine.linesOf("before")).toEqual(["x", "x"]);
    await engine.call("remove_schedule", { name: "kept-up" });
  });
});

describe("any other unknown field", () => {
  const MORE = { ticket: 7, note: "later" };
  const TEXT = "kept, and without effect: note, ticket";

  test("is kept, and the answers to a submit, explain and a schedule name it", async () => {
    await learn("named");
    const contract = known("named", MORE);
    const explained = await engine.call("explain", { contract });
    expect(explained).toMatchObject({ would: "run", why: null, ignored: TEXT });
    expect(explanationLines(explained, OUT).join("\n")).toContain(TEXT);
    const view = await engine.call("submit_task", { ...contract, wait_seconds: 30 });
    expect(view).toMatchObject({ status: "ok", ignored: TEXT });
    expect(taskLines(view, OUT).join("\n")).toContain(TEXT);
    expect((await engine.call("get_task", { task_id: "named" })).ignored).toBe(TEXT);
    expect((await engine.call("get_evidence", { task_id: "named" })).contract).toMatchObject(MORE);
    expect(await engine.call("add_schedule", scheduled("named", MORE))).toMatchObject({ why: null, ignored: TEXT });
    await engine.call("remove_schedule", { name: "named" });
  });

  test("is one of ten that are named where there are forty, and the rest is counted", async () => {
    const forty = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`extra_field_${n}`, n]));
    const { ignored } = await engine.call("submit_task", known("forty", forty));
    expect(ignored).toMatch(/^kept, and without effect: extra_field_\d+(, extra_field_\d+){9}, and 30 more$/);
  });

  test("is in no answer where there is none", async () => {
    const contract = known("without");
    expect(await engine.call("submit_task", contract)).not.toHaveProperty("ignored");
    expect(await engine.call("explain", { contract })).not.toHaveProperty("ignored");
  });

  test("is named in what a human decides on: a plan, and a replacement", async () => {
    const target = engine.targetOf("shown");
    await engine.learn("deploy", target, [cmd("rm -rf shown"), check("test -d /")], {
      safety_level: "approval_required",
    });
    const asks = await engine.run("shown", { delegation_mode: "known_only", target, ...MORE });
    const note = `Other fields of the contract are ${TEXT}.`;
    expect(asks).toMatchObject({ status: "need_approval", outcome: { message: expect.stringContaining(note) } });
    const plan = await engine.approvalOf("shown");
    expect(plan).toMatchObject({ kind: "plan", reason: expect.stringContaining(note) });
    await engine.call("approve", { task_id: "shown", decision: "reject", wait_seconds: 30 });

    const payload = { intent: "deploy", steps: [cmd("echo 2"), check("test -d /usr")] };
    await engine.run("update", { intent: "update_sop", target, payload, ...MORE });
    const replacement = await engine.approvalOf("update");
    expect(replacement).toMatchObject({ kind: "replacement", reason: expect.stringMatching(`\\. ${note}$`) });
    await engine.call("approve", { task_id: "update", decision: "reject", wait_seconds: 30 });
  });
});
