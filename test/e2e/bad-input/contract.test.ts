// Invalid contracts: each is refused with every wrong field, and no task is stored.
import { describe, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { soundServer } from "./sound-server.ts";

const { orch } = soundServer();
const MIB = 1024 * 1024;

const submit = (body: unknown) => orch().post("/v1/tasks", body);
const noTask = async (task_id: string) => expect((await orch().get(`/v1/tasks/${task_id}`)).status).toBe(404);

/** The contract with `text` (JSON) as the value of one field. */
const withText = (field: string, text: string): string =>
  JSON.stringify(contractBody({ task_id: "odd", [field]: "<here>" })).replace('"<here>"', () => text);

const pathsOf = (body: { issues: { path: string }[] }): string[] => [...new Set(body.issues.map(({ path }) => path))];

describe("fields", () => {
  test("that are missing are all named", async () => {
    const { status, body } = await submit({});
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "contract_invalid", type: "urn:orch:error:contract_invalid" });
    expect(pathsOf(body).toSorted()).toEqual(
      Object.keys(contractBody())
        .filter((field) => !["payload", "requested_by", "requested_at"].includes(field))
        .toSorted(),
    );
    expect(body.issues[0]).toEqual({ path: "task_id", message: "is required" });
  });

  const attributes = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, "x"]));

  test.each<[string, Record<string, unknown>]>([
    ["intent", { intent: "dance" }],
    ["constraints.max_minute", { constraints: { implicit_scope: [], require_approval_for: [], max_minute: 5 } }],
    ["wait_seconds", { wait_seconds: true }],
    ["wait_seconds", { wait_seconds: null }],
    ["wait_seconds", { wait_seconds: [1] }],
    ["wait_seconds", { wait_seconds: "soon" }],
    ["wait_seconds", { wait_seconds: 51 }],
  ])("a wrong %s is named: %j", async (path, over) => {
    const { status, body } = await submit(contractBody({ task_id: "odd", ...over }));
    expect(status).toBe(400);
    expect(body.code).toBe("contract_invalid");
    expect(pathsOf(body)).toEqual([path]);
    await noTask("odd");
  });

  test("that are too long or too many are named", async () => {
    const criteria = Array.from({ length: 101 }, (_, n) => `criterion ${n}`);
    const cases: [string, Record<string, unknown>][] = [
      ["task_id", { task_id: "x".repeat(129) }],
      ["target", { target: attributes(33) }],
      ["target.service", { target: { service: "x".repeat(1025) } }],
      ["success_criteria", { success_criteria: criteria }],
      ["success_criteria.0", { success_criteria: ["x".repeat(1025)] }],
      ["requested_by", { requested_by: "x".repeat(257) }],
    ];
    for (const [path, over] of cases) {
      const { status, body } = await submit(contractBody({ task_id: "odd", ...over }));
      expect({ status, paths: pathsOf(body) }).toEqual({ status: 400, paths: [path] });
    }
    await noTask("odd");
  });
});

describe("half of a surrogate pair", () => {
  test.each([
    ["target", '{"service":"\\ud800"}', "target.service"],
    ["target", '{"service":"\\udc00\\ud800"}', "target.service"],
    ["payload", '{"a":["ok","\\ud83d"]}', "payload.a.1"],
    ["payload", '{"\\udfff":1}', "payload.\ufffd"],
    ["requested_by", '"\\ud800"', "requested_by"],
    ["success_criteria", '["\\ud800"]', "success_criteria.0"],
    ["note", '"\\ud800"', "note"],
  ])("is refused in %s: %s", async (field, text, path) => {
    const { status, body } = await submit(withText(field, text));
    expect(status).toBe(400);
    expect(body.issues).toEqual([{ path, message: "holds half of a surrogate pair; send whole characters" }]);
    await noTask("odd");
  });
});

test.each([
  ["a text", { text: "a\0b" }, "payload.text"],
  ["a name", { "k\0": 1 }, "payload"],
])("a NUL character in %s of a payload is refused, as PostgreSQL cannot store it", async (_what, payload, path) => {
  const { status, body } = await submit(contractBody({ task_id: "nul", payload }));
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: "contract_invalid", issues: [{ path: expect.stringContaining(path) }] });
  expect((await orch().get("/v1/tasks/nul")).status).toBe(404);
});

describe("bodies", () => {
  const ofSize = (bytes: number, task_id: string): string => {
    const text = JSON.stringify(contractBody({ task_id, note: "" }));
    return text.replace('"note":""', `"note":"${"x".repeat(bytes - text.length)}"`);
  };

  test("are accepted up to 1 MiB and stored whole", async () => {
    const answer = await submit(ofSize(MIB, "large"));
    expect(answer).toMatchObject({ status: 200, body: { task_id: "large" } });
    const { contract } = (await orch().get("/v1/tasks/large/evidence")).body;
    expect(JSON.stringify(contract).length).toBe(MIB);
  });

  test("with a payload that is too large for the environment of a command fail at their step, and the evidence says why", async () => {
    const task_id = "heavy";
    await submit(contractBody({ task_id, payload: { blob: "x".repeat(500_000) }, wait_seconds: 30 }));
    const steps = [{ kind: "check", value: "test -d /" }];
    const { body } = await orch().post("/v1/teach", { task_id, steps, wait_seconds: 30 });
    expect(body.task).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed" } });
    const { step_results } = (await orch().get(`/v1/tasks/${task_id}/evidence`)).body;
    expect(step_results[0].stderr).toMatch(/environment is too large.*ORCH_PAYLOAD/);
  });
});
