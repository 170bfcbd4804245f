import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check, cmd, contractBody, mcpCall } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";

const engine = held(await openEngine({ env: { MCP_NOTES_URL: "http://127.0.0.1:59999/" } }));
const withModel = held(await openEngine({ env: { ROUTING_MODEL: "m", ROUTING_URL: "http://127.0.0.1:59999" } }));

const STEPS = [cmd("true"), check("test -d /")];
const cautious = { implicit_scope: ["notes", "wiki"], require_approval_for: ["restarts"], max_minutes: 1 };
const explain = (on: Engine, over: Record<string, unknown>, more: object = { steps: STEPS }) =>
  on.call("explain", { contract: contractBody(over), ...more });

test("explain reports that the model judges categories, or a human without a model", async () => {
  expect(await explain(withModel, { constraints: cautious })).toMatchObject({
    would: "ask_model",
    why: null,
    steps: [{ model_would_be_asked: true }, {}],
  });
  const without = await explain(engine, { constraints: cautious });
  expect(without).toMatchObject({ would: "ask", steps: [{ model_would_be_asked: false }, {}] });
  expect(without.why).toContain("no routing model");
});

test("explain names the step whose tool server is not set, although policy allows the step", async () => {
  const constraints = { ...cautious, require_approval_for: [] };
  const steps = [mcpCall({ server: "NOTES" }), mcpCall({ server: "wiki" }), check("test -d /")];
  const explained = await explain(engine, { constraints }, { steps });
  expect(explained).toMatchObject({ would: "run", steps: [{ verdict: "allow" }, { verdict: "allow" }, {}] });
  expect(explained.why).toBe("Step 1 would fail: there is no tool server wiki; set MCP_WIKI_URL.");
});

test("explain reports a backend that is not configured, and no missing tool server where policy blocks", async () => {
  const elsewhere = await explain(engine, { execution_backend: "flowengine" });
  expect(elsewhere).toMatchObject({ would: "block", why: expect.stringContaining("FLOWENGINE_URL") });
  const steps = [cmd("rm -rf /"), mcpCall({ server: "wiki" }), check("test -d /")];
  const blocked = await explain(withModel, { constraints: cautious }, { steps });
  expect(blocked).toMatchObject({ would: "block", why: null });
});

test("a check proves the same criterion in the next version, in any order of the criteria", async () => {
  const criteria = { A: 2, B: 1 };
  const steps = [cmd("true"), check("test -d /"), check("test -d /usr")];
  const { criteria: before } = await engine.learn("deploy", { service: "swapped" }, steps, { criteria });
  const over = {
    task_id: "swap",
    intent: "update_sop",
    target: { service: "swapped" },
    payload: { intent: "deploy", steps },
  };
  await engine.submit({ ...over, constraints: { ...cautious, require_approval_for: [] } });
  const { sops } = await engine.call("list_sops", { intent: "deploy", target_signature: "service=swapped" });
  const proofs = (all: { criterion: string; step_index: number }[]) =>
    new Map(all.map((one) => [one.criterion, one.step_index]));
  expect(sops[0].version).toBe(2);
  expect(proofs(sops[0].criteria)).toEqual(proofs(before));
});

const update = (payload: object) => ({ intent: "update_sop", target: { service: "edited" }, payload });

test("explain names the version that a replacement would replace, and that it needs an approval", async () => {
  const current = await engine.learn("restart", { service: "edited" }, STEPS);
  const steps = [cmd("echo new"), check("test -d /")];
  expect(await explain(engine, update({ intent: "restart", steps }), {})).toMatchObject({
    would: "ask",
    why: expect.stringContaining("version 1"),
    sop: { sop_id: current.sop_id, version: 1, level: "defined", on_trial: false },
    target_signature: "service=edited",
    steps: [{ command: "echo new", verdict: "allow" }, { kind: "check" }],
  });
  expect((await engine.call("get_sop", { sop_id: current.sop_id })).versions).toHaveLength(1);
});

test.each([
  ["without a procedure to replace", { intent: "deploy", steps: STEPS }, "No active SOP"],
  ["without steps", { intent: "restart" }, "payload.steps: "],
  ["with steps that could never run", { intent: "restart", steps: [cmd("rm -rf /"), check("test -d /")] }, "rm.wide"],
])("explain reports why a replacement %s would be blocked", async (_what, payload, why) => {
  const explained = await explain(engine, update(payload), {});
  expect(explained).toMatchObject({ would: "block", why: expect.stringContaining(why), steps: [] });
});

test("a finding holds no part of a configured secret that a script takes apart [5.4]", async () => {
  const secret = "0f3a9b71c2de48568d7741be90aa12cd";
  await using knowing = await openEngine({ env: { MCP_NOTES_URL: "http://127.0.0.1:9/mcp", MCP_NOTES_TOKEN: secret } });
  const file = join(knowing.directory, "deploy.sh");
  await writeFile(file, `T=${secret}\nrm -rf "/home/\${T#?}"\n`);
  const explained = await explain(knowing, {}, { steps: [cmd(`bash ${file}`), check("test -d /")] });
  expect(JSON.stringify(explained)).toContain("rm -rf /home/edacted");
  expect(JSON.stringify(explained)).not.toContain(secret.slice(8));
});

test("a finding quotes no secret of a script that it was judged with [5.4]", async () => {
  const secret = `ghp_${"a1B2c3".repeat(6)}`;
  const file = join(engine.directory, "deploy.sh");
  await writeFile(file, `TOKEN=${secret}\nrm -rf "/home/$TOKEN"\n`);
  const explained = await explain(engine, {}, { steps: [cmd(`bash ${file}`), check("test -d /")] });
  expect(explained).toMatchObject({ would: expect.stringMatching(/^(ask|block)$/) });
  expect(JSON.stringify(explained)).toContain("rm -rf /home/[redacted]");
  expect(JSON.stringify(explained)).not.toContain(secret);
});
