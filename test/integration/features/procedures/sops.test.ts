// The supervisor reads, compares, exports and imports stored procedures.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Step } from "../../../../src/domain/step.ts";
import { check, cmd, UNTRIED } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const TARGET = { service: "web", environment: "prod" };
const teach = async (intent: string, steps: readonly Step[], over: object = {}) =>
  (await engine.call("teach", { intent, target: TARGET, steps, ...over })).sop;

test("an SOP has the fields of the specification [2.sop.*]", async () => {
  const over = {
    safety_level: "approval_required",
    preconditions: ["the backup is fresh"],
    criteria: { "it is up": 1 },
  };
  const { sop_id } = await teach("restart", [cmd("echo 1"), check("test -d /usr")], over);
  const { sop } = await engine.call("get_sop", { sop_id });
  expect(sop).toEqual({
    sop_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    intent: "restart",
    target_signature: "environment=prod;service=web",
    target: TARGET,
    status: "candidate",
    version: 1,
    steps: [cmd("echo 1"), check("test -d /usr")],
    criteria: [{ criterion: "it is up", step_index: 1 }],
    safety_level: "approval_required",
    preconditions: ["the backup is fresh"],
    steps_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    origin: "teach",
    ...UNTRIED,
    trial_left: 1,
    last_success_at: null,
    success_count: 0,
    failure_count: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
});

describe("two versions", () => {
  test("are compared by a diff, with a list of the versions of their key", async () => {
    const older = await teach("deploy", [cmd("docker compose pull"), check("test -d /")]);
    const newer = await teach("deploy", [cmd("docker compose pull --quiet"), check("test -d /")]);
    const { diff, versions } = await engine.call("get_sop", { sop_id: newer.sop_id, diff_to: older.sop_id });
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    expect(diff.split("\n").filter((line: string) => /^[-+]/.test(line))).toEqual([
      expect.stringContaining("--- version 1"),
      expect.stringContaining("+++ version 2"),
      "-    value: docker compose pull",
      "+    value: docker compose pull --quiet",
    ]);
  });

  test("that define the same procedure have no difference", async () => {
    const [one, two] = [await teach("deploy", [check("same")]), await teach("deploy", [check("same")])];
    expect((await engine.call("get_sop", { sop_id: two.sop_id, diff_to: one.sop_id })).diff).toBe("");
    expect((await engine.call("get_sop", { sop_id: two.sop_id })).diff).toBeNull();
  });
});

describe("a file", () => {
  test("transfers a procedure to another orch, as a candidate that waits for its promotion", async () => {
    const steps = [cmd("set -e\n\n  make deploy # größe\n"), check("curl -fsS 'http://x/?a=b: c'\n\n"), check(" yes")];
    const over = {
      criteria: { "本番: up": 1, "1e3": 2 },
      preconditions: ["~", "- no"],
      safety_level: "approval_required",
    };
    const sop = await teach("deploy", steps, over);
    const { file } = await engine.call("export_sop", { sop_id: sop.sop_id });
    await using other = await openEngine();
    const { sop: imported, approval_id } = await other.call("import_sop", { file });
    expect(imported).toMatchObject({
      intent: sop.intent,
      target: sop.target,
      target_signature: sop.target_signature,
      steps,
      version: 1,
      safety_level: sop.safety_level,
      preconditions: sop.preconditions,
      status: "candidate",
    });
    expect(new Set(imported.criteria)).toEqual(new Set(sop.criteria));
    expect((await other.call("export_sop", { sop_id: imported.sop_id })).file).toBe(file);
    await other.call("approve", { approval_id, decision: "approve" });
    const status = async () => (await other.call("get_sop", { sop_id: imported.sop_id })).sop.status;
    await expect.poll(status, { timeout: 10_000 }).toBe("active");
  });

  test("is refused when it is invalid, or when its steps could not be taught", async () => {
    const refusal = (file: string) => engine.refusal("import_sop", { file });
    expect(await refusal("hello")).toMatchObject({ code: "input_invalid" });
    const { code, issues } = await refusal("{intent: deploy, target: {}, steps: [{kind: shell, value: x}]}");
    expect([code, issues[0]?.path]).toEqual(["input_invalid", "steps.0.kind"]);
    const file =
      "{intent: deploy, target: {}, steps: [{kind: cmd, value: rm -rf /}, {kind: check, value: 'test -d /'}]}";
    expect(await refusal(file)).toMatchObject({ code: "sop_steps_invalid", issues: [{ path: "steps.0" }] });
  });
});

test("SOPs are listed newest first, by key and by status", async () => {
  const own = { intent: "collect_logs", target_signature: "environment=prod;service=web" };
  const [one, two] = [await teach("collect_logs", [check("one")]), await teach("collect_logs", [check("two")])];
  const page = await engine.call("list_sops", { ...own, status: "candidate", limit: 1 });
  expect([page.sops, page.next_after]).toMatchObject([[{ sop_id: two.sop_id }], two.sop_id]);
  const rest = await engine.call("list_sops", { ...own, after: page.next_after });
  expect([rest.sops, rest.next_after]).toMatchObject([[{ sop_id: one.sop_id }], null]);
  expect((await engine.call("list_sops", { ...own, status: "active" })).sops).toEqual([]);
});

test("an SOP that does not exist is not found", async () => {
  const sop_id = "00000000-0000-4000-8000-000000000000";
  expect((await engine.refusal("get_sop", { sop_id })).code).toBe("sop_not_found");
  expect((await engine.refusal("export_sop", { sop_id })).code).toBe("sop_not_found");
});
