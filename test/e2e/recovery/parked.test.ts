// A task in which the server crashes twice is parked, of each kind: it may be what ends the server (D-258).
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { calls, isSilent, startScriptedModel } from "../../support/agent-model.ts";
import { check, cmd, contractBody, wait } from "../../support/builders.ts";
import { linesOf, type OrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { skillsDirectory } from "../../support/skills.ts";
import { begin, lines, serve, settled } from "./begin.ts";

const SKILL = `
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
export const HANDLED_INTENTS = ["try_out"];
export async function handle(ctx, task) {
  await ctx.step("look", async () => {
    const { place } = task.payload;
    appendFileSync(place + "/begun", "x\\n");
    while (!existsSync(place + "/go")) await sleep(20);
    return true;
  }, "repeat");
  return { status: "ok", code: "done", message: "Done.", result: null };
}
`;
const FINISH = { summary: "It is there.", criteria: [{ criterion: 1, evidence_check: "test -e go" }] };
const KINDS = ["check", "wait", "skill", "plain", "react"];

const bundleFaults = async (orch: OrchProcess, task_id: string) =>
  verifyBundle((await orch.get(`/v1/tasks/${task_id}/evidence`)).body).faults;

test("a check, a wait, a skill and an agent in which the server crashed twice are parked, and go on when the supervisor says so", async () => {
  await using directory = await temporaryDirectory();
  await using skills = await skillsDirectory({ trial: SKILL });
  let is_silent = true;
  await using model = await startScriptedModel(() => (is_silent ? isSilent : calls(["finish", FINISH])));
  const env = { ...model.env, ORCH_CAPABILITIES: skills.path };
  const start = { data_dir: directory.path, env };
  const place = (name: string) => join(directory.path, name);
  for (const name of KINDS) mkdirSync(place(name));
  const blocks = check(`echo x >> ${place("check")}/begun; until test -e ${place("check")}/go; do sleep 0.02; done`);
  const begun = async (count: number) => {
    await lines(place("check"), "begun", count);
    await lines(place("skill"), "begun", count);
    await vi.waitUntil(() => model.asked.length >= 2 * count, { timeout: 20_000 });
  };

  await using first = await serve(start);
  await begin(first, "check", [cmd(`echo done >> ${place("check")}/made`), blocks]);
  await begin(first, "wait", [wait("1h"), check("test -d /")]);
  const agent = (name: string) => ({
    task_id: name,
    delegation_mode: "agent",
    agent_backend: name,
    success_criteria: ["it is there"],
    target: { compose_dir: place(name) },
    constraints: { implicit_scope: ["shell"], require_approval_for: [], max_minutes: 1 },
  });
  const skill = { intent: "try_out", delegation_mode: "known_only", success_criteria: [] };
  const given = { task_id: "skill", payload: { place: place("skill") }, target: { service: "skill" }, ...skill };
  for (const over of [given, agent("plain"), agent("react")]) {
    const { body } = await first.post("/v1/tasks", contractBody(over));
    expect(body).toMatchObject({ task_id: over.task_id });
  }
  await begun(1);
  await first.kill("SIGKILL");
  await using second = await serve(start);
  await begun(2);
  await second.kill("SIGKILL");
  is_silent = false;

  await using third = await serve(start);
  for (const name of KINDS)
    expect(await settled(third, name)).toMatchObject({
      status: "need_input",
      waiting: { kind: "parked" },
      outcome: { reason_code: "parked" },
      next: [{ operation: "resolve_step", arguments: { task_id: name, resolution: "retry" } }, {}, {}],
    });
  const { items } = (await third.get("/v1/inbox")).body;
  expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(Array(KINDS.length).fill("parked"));
  expect(linesOf(join(place("skill"), "begun"))).toHaveLength(2);
  expect(model.asked).toHaveLength(4);

  for (const name of KINDS) {
    writeFileSync(join(place(name), "go"), "");
    expect(await third.post(`/v1/tasks/${name}/resolve`, { resolution: "succeeded" })).toMatchObject({
      status: 409,
      body: { code: "task_not_waiting", detail: expect.stringContaining("resolution retry lets it go on") },
    });
    await third.post(`/v1/tasks/${name}/resolve`, { resolution: "retry", reason: "the power failed" });
  }
  expect(await third.get("/v1/tasks/wait")).toMatchObject({ body: { status: "running" } });
  await third.post("/v1/tasks/wait/cancel", {});
  for (const name of KINDS)
    expect([name, (await settled(third, name)).status]).toEqual([name, name === "wait" ? "cancelled" : "ok"]);
  for (const name of KINDS) expect(await bundleFaults(third, name)).toEqual([]);
  expect(readFileSync(join(place("check"), "made"), "utf8")).toBe("done\n");
}, 120_000);

test("a task that makes progress between two crashes is not parked, nor one whose server is stopped", async () => {
  await using directory = await temporaryDirectory();
  const start = { data_dir: directory.path, env: { ORCH_DRAIN_SECONDS: "0" } };
  const steps = ["a", "b", "c"].map((name) =>
    check(`echo x >> ${name}; until test -e go-${name}; do sleep 0.02; done`),
  );
  const letGo = (name: string) => writeFileSync(join(directory.path, `go-${name}`), "");
  await using first = await serve(start);
  await begin(first, "t-1", steps);
  await lines(directory.path, "a");
  await first.kill("SIGKILL");
  await using second = await serve(start);
  letGo("a");
  await lines(directory.path, "b");
  await second.kill("SIGKILL");
  await using third = await serve(start);
  letGo("b");
  await lines(directory.path, "c");
  await third.kill("SIGTERM");
  await using fourth = await serve(start);
  await lines(directory.path, "c", 2);
  await fourth.kill("SIGTERM");
  await using fifth = await serve(start);
  letGo("c");
  expect(await settled(fifth, "t-1")).toMatchObject({ status: "ok" });
  expect(await bundleFaults(fifth, "t-1")).toEqual([]);
}, 60_000);

test("a server that is killed while it stops has crashed in what still ran, and in nothing else", async () => {
  await using directory = await temporaryDirectory();
  await using model = await startScriptedModel(() => isSilent);
  const start = { data_dir: directory.path, env: model.env };
  const place = (name: string) => join(directory.path, name);
  for (const name of ["check", "plain"]) mkdirSync(place(name));
  const leases = () => {
    const database = new DatabaseSync(place("state/orch.db"), { readOnly: true });
    const rows = database.prepare("SELECT task_id FROM task WHERE lease_expires_at IS NOT NULL ORDER BY task_id").all();
    database.close();
    return rows.map(({ task_id }) => task_id);
  };
  const killedInItsStop = async (server: OrchProcess) => {
    expect(leases()).toEqual(["check", "plain", "wait"]);
    void server.kill("SIGTERM");
    await vi.waitUntil(() => leases().length === 1, { timeout: 10_000 });
    expect(leases()).toEqual(["check"]);
    await server.kill("SIGKILL");
  };
  await using first = await serve(start);
  await begin(first, "check", [
    check(`echo x >> ${place("check")}/begun; until test -e ${place("check")}/go; do sleep 0.02; done`),
  ]);
  await begin(first, "wait", [wait("1h"), check("test -d /")]);
  const agent = {
    task_id: "plain",
    delegation_mode: "agent",
    agent_backend: "plain",
    success_criteria: ["it is there"],
  };
  const constraints = { implicit_scope: ["shell"], require_approval_for: [], max_minutes: 1 };
  await first.post("/v1/tasks", contractBody({ ...agent, target: { compose_dir: place("plain") }, constraints }));
  await lines(place("check"), "begun");
  await vi.waitUntil(() => model.asked.length === 1, { timeout: 20_000 });
  await killedInItsStop(first);
  await using second = await serve(start);
  await lines(place("check"), "begun", 2);
  await vi.waitUntil(() => model.asked.length === 2, { timeout: 20_000 });
  await killedInItsStop(second);

  await using third = await serve(start);
  expect(await settled(third, "check")).toMatchObject({ outcome: { reason_code: "parked" } });
  await vi.waitUntil(() => model.asked.length === 3, { timeout: 20_000 });
  for (const name of ["wait", "plain"])
    expect(await third.get(`/v1/tasks/${name}`)).toMatchObject({ body: { status: "running" } });
}, 120_000);
