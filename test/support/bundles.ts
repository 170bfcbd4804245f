// Evidence of real tasks, one for each way a task can go, as a supervisor would have saved it: as JSON text.
import { check, cmd } from "./builders.ts";
import { type Engine, openEngine } from "./engine.ts";
import { startRoutingModel } from "./routing-model.ts";

/** Numbers and text that a careless round trip would change. */
const PAYLOAD = {
  numbers: [0.1, -1e-7, 1e21, 9_007_199_254_740_991, -0],
  text: 'é 𝄞 \u0001 \u2028 " \\ </script>',
  nested: { b: [], a: {} },
};
const KNOWN = { delegation_mode: "known_only" };
const ASKING = { safety_level: "approval_required" } as const;
const asked = { constraints: { implicit_scope: [], require_approval_for: ["restarts"], max_minutes: 1 } };

/** The names of the tasks, each with the JSON text of its bundle. */
export async function collectBundles(): Promise<ReadonlyMap<string, string>> {
  await using model = await startRoutingModel();
  await using engine = await openEngine({ env: model.env });
  model.says("test -e flaky || { echo x > flaky; false; }", { error_type: "transient" });
  await endings(engine);
  await questions(engine);
  await approvals(engine);
  await replacements(engine);
  const { tasks } = await engine.call("list_tasks", { limit: 500 });
  const names = tasks.map(({ task_id }: { task_id: string }) => task_id);
  return new Map([...(await textsOf(engine, names)), ...(await resolved())]);
}

async function textsOf(engine: Engine, names: readonly string[]): Promise<[string, string][]> {
  const bundles = names.map((task_id) => engine.call("get_evidence", { task_id }));
  return (await Promise.all(bundles)).map((bundle) => [bundle.task_id, JSON.stringify(bundle)]);
}

async function endings(engine: Engine) {
  const learn = (name: string, ...steps: object[]) => engine.learn("deploy", engine.targetOf(name), steps);
  await learn("passed", cmd("printf 'out é\\0\\n'; echo err >&2"), check("test -d /"));
  await engine.run("passed", { ...KNOWN, ...asked, payload: PAYLOAD, "further field": [1, { x: null }] });
  const verify = { task_id: "passed", source: "https://status.example" };
  await engine.call("record_verification", { ...verify, verified: false, note: "blank" });
  await engine.call("record_verification", { ...verify, verified: true });
  await learn("failed", cmd("echo half; exit 3"), check("test -d /"));
  await engine.run("failed", KNOWN);
  await learn("unverified", cmd("true"), check("test -e /nothing"));
  await engine.run("unverified", KNOWN);
  await learn("retried", cmd("test -e flaky || { echo x > flaky; false; }"), check("test -d /"));
  await engine.run("retried", KNOWN);
  await engine.run("blocked", KNOWN);
  await learn("cancelled", engine.holding("cancelled"), check("test -d /"));
  await engine.call("submit_task", engine.contract("cancelled", KNOWN));
  await engine.begun("cancelled");
  await engine.call("cancel_task", { task_id: "cancelled", reason: "wrong host" });
}

async function questions(engine: Engine) {
  await engine.run("waits-for-teaching");
  await engine.run("taught");
  await engine.call("teach", { task_id: "taught", steps: [check("test -d /")], wait_seconds: 30 });
}

async function approvals(engine: Engine) {
  const names = ["approved", "rejected", "expired", "withdrawn", "waits-for-approval"];
  for (const name of names) {
    await engine.learn("deploy", engine.targetOf(name), [cmd("true"), check("test -d /")], ASKING);
    await engine.run(name, KNOWN);
  }
  const decide = (task_id: string, decision: string, over: object = {}) =>
    engine.call("approve", { task_id, decision, wait_seconds: 30, ...over });
  await decide("approved", "approve", { decided_by: "op", reason: "fine" });
  await decide("rejected", "reject");
  await engine.call("cancel_task", { task_id: "withdrawn" });
  const { approval_id, created_at } = await engine.approvalOf("expired");
  const data = { expires_at: new Date(Date.parse(created_at) + 1).toISOString(), row_sum: "" };
  await engine.database.client.approval.update({ where: { approval_id }, data });
  await engine.refusal("approve", { approval_id, decision: "approve" });
  await engine.outcomeOf("expired");
}

async function replacements(engine: Engine) {
  for (const [name, decision] of [
    ["replaced", "approve"],
    ["kept", "reject"],
  ] as const) {
    await engine.learn("deploy", engine.targetOf(name), [check("test -d /")]);
    await engine.run(name, { intent: "update_sop", payload: { intent: "deploy", steps: [check("test -d /usr")] } });
    await engine.call("approve", { task_id: name, decision, wait_seconds: 30 });
  }
}

/** Steps that were cut off by a stop, and what the supervisor said of them. */
async function resolved(): Promise<[string, string][]> {
  await using before = await openEngine({ env: { ORCH_DRAIN_SECONDS: "0" } });
  const names = ["resolved-succeeded", "resolved-failed", "unknown"];
  for (const name of names) {
    await before.learn("deploy", before.targetOf(name), [before.holding(name), check("test -d /")]);
    await before.call("submit_task", before.contract(name));
    await before.begun(name);
  }
  await before.shutDown();
  await using engine = await openEngine({ directory: before.directory });
  for (const name of names) await engine.outcomeOf(name);
  const resolve = (resolution: string) =>
    engine.call("resolve_step", { task_id: `resolved-${resolution}`, resolution, reason: "saw it", wait_seconds: 30 });
  await Promise.all([resolve("succeeded"), resolve("failed")]);
  // Before the engine is closed.
  return await textsOf(engine, names);
}
