// An agent whose contract lets it write what runs later asks before it begins.
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAgentWorld, scope } from "../../../support/agent-engine.ts";
import { calls } from "../../../support/agent-model.ts";
import { held } from "../../../support/held.ts";
import { evidenceFaults } from "../../../support/promoted-version.ts";

const ENDS = calls(["finish", { summary: "Nothing to do.", done: false }]);

const world = held(await openAgentWorld([ENDS]));
const engine = held(await world.open());

const submit = (task_id: string, over: object) => engine.submit(world.contract({ task_id, ...over }));
const writes = (...paths: string[]) => ({ constraints: scope("shell", ...paths.map((path) => `write:${path}`)) });

describe.each(["plain", "react"])("promises 2.10: on the backend %s", (agent_backend) => {
  const id = (name: string) => `${name}-${agent_backend}`;

  test.each([
    ["cron", writes("/etc/cron.d"), "/etc/cron.d"],
    ["git", writes(join(homedir(), ".config/git")), ".config/git"],
    ["directory", { target: { compose_dir: "/usr/local/bin" } }, "/usr/local/bin"],
  ])("it asks first, names the place, and blocks when it is rejected: %s", async (name, over, place) => {
    const asked = world.model.asked.length;
    const task = await submit(id(name), { agent_backend, ...over });
    expect(task).toMatchObject({
      status: "need_approval",
      outcome: { findings: [{ code: "agent.runs_later", reason: expect.stringContaining(place) }] },
    });
    expect(task.outcome?.message).toContain("runs later, outside of this task's space");
    const { approval_id } = await engine.approvalOf(id(name));
    await engine.call("approve", { approval_id, decision: "reject" });
    expect(await engine.outcomeOf(id(name))).toMatchObject({
      status: "blocked",
      outcome: { reason_code: "approval_rejected" },
    });
    expect(world.model.asked.length).toBe(asked);
    expect(await evidenceFaults(engine, id(name))).toEqual([]);
  });

  test("it begins once that is approved", async () => {
    await submit(id("approved"), { agent_backend, ...writes("/etc/cron.d", "/srv/ordinary") });
    const { approval_id, content } = await engine.approvalOf(id("approved"));
    expect(content).toMatchObject({ calls: [], findings: [{ code: "agent.runs_later" }] });
    const { counts, steps } = await engine.call("get_approval", { approval_id });
    expect({ counts, steps }).toEqual({ counts: { looks: 0, changes: 0, cannot_tell: 0 }, steps: [] });
    await engine.call("approve", { approval_id, decision: "approve" });
    expect(await engine.outcomeOf(id("approved"))).toMatchObject({ outcome: { reason_code: "nothing_verified" } });
    expect(await evidenceFaults(engine, id("approved"))).toEqual([]);
  });

  test.each([
    ["an ordinary directory", {}],
    ["an intent that only reads", { intent: "triage", ...writes("/etc/cron.d") }],
  ])("it asks nothing: %s", async (name, over) => {
    const task = await submit(id(name.replaceAll(" ", "-")), { agent_backend, ...over });
    expect(task).toMatchObject({ outcome: { reason_code: "nothing_verified" } });
  });
});

test("promises 2.10: explain says so beforehand", async () => {
  const contract = world.contract({ task_id: "explained", ...writes("/etc/cron.d") });
  const { would, why } = await engine.call("explain", { contract });
  expect({ would, why }).toMatchObject({ would: "ask", why: expect.stringContaining("/etc/cron.d") });
});
