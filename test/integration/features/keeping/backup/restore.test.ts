// A restored past does not go on by itself: a backup that was made while a server worked, brought back, and a server started on it.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { verifyBundle } from "../../../../../src/engine/evidence/verify/bundle.ts";
import { check } from "../../../../support/builders.ts";
import { backUp, restoreTo } from "../../../../support/copied-engine.ts";
import { temporaryFolder } from "../../../../support/database.ts";
import { type Engine, openEngine } from "../../../../support/engine.ts";
import { databases, postgres } from "../../../../support/postgres.ts";

const server = postgres();
const folder = temporaryFolder();
afterAll(async () => {
  folder.remove();
  await server?.stop();
});

/** One task in each state that a task can be in, and a schedule that is due every ten seconds. */
async function work(engine: Engine): Promise<void> {
  await engine.plant("deploy", engine.targetOf("done"), [check("true")]);
  await engine.run("done");
  await engine.plant("deploy", engine.targetOf("steps"), [engine.holding("steps"), check("echo x >> after")]);
  await engine.call("submit_task", engine.contract("steps"));
  await engine.begun("steps");
  await engine.call("submit_task", engine.contract("queued", { target: engine.targetOf("steps") }));
  await engine.run("untaught");
  const asking = [{ kind: "cmd", value: "echo x >> approved" } as const, check("true")];
  await engine.plant("deploy", engine.targetOf("asking"), asking, { safety_level: "approval_required" });
  await engine.run("asking");
  await engine.call("teach", { intent: "triage", target: engine.targetOf("new"), steps: [check("test -d /")] });
  const contract = engine.contract("web", { target: engine.targetOf("done") });
  const { task_id: _id, requested_at: _at, ...scheduled } = contract;
  await engine.call("add_schedule", { name: "web", every: "10s", contract: scheduled });
  await engine.call("freeze", { intent: "restart", reason: "a holiday" });
}

/** What asks is asked again: each question has an answer all the same. */
async function restoredAgain(from: { readonly directory: string; readonly env: Readonly<Record<string, string>> }) {
  const file = join(folder.path, "again.orch");
  const { taken_at } = await backUp(from, file);
  const to = { ...from, directory: join(folder.path, "again") };
  mkdirSync(to.directory);
  expect((await restoreTo(to, file)).settled).toMatchObject({ asked: 0, parked: 0, left: 3, schedules: 0 });
  return { to, taken_at };
}

test.each(databases(server))(
  "what was under way in a backup of %s waits for the supervisor when it is restored",
  async (name, settings) => {
    const env = { ORCH_DRAIN_SECONDS: "0", ...(await settings()) };
    await using engine = await openEngine({ env });
    await work(engine);
    const file = join(folder.path, `${name}.orch`.replaceAll(" ", "-"));
    const manifest = await backUp({ directory: engine.directory, env }, file);
    const directory = join(folder.path, name.replaceAll(" ", "-"));
    mkdirSync(directory);
    const to = { directory, env: { ORCH_DRAIN_SECONDS: "0", ...(await settings()) } };
    const report = await restoreTo(to, file);
    expect(report).toMatchObject({
      journals_verified: manifest.head.threads,
      token: "none",
      settled: { asked: 1, parked: 1, expired: 1, left: 1, promotions: 1, schedules: 1, quarantined: [] },
    });

    // Of what was restored and not yet answered, on the database that is quick to copy.
    const last = name === "PostgreSQL" ? { to, taken_at: manifest.taken_at } : await restoredAgain(to);
    await using restored = await openEngine(last.to);
    const codes = async (task_id: string) => {
      const task = await restored.call("get_task", { task_id });
      return [task.status, task.outcome?.reason_code];
    };
    expect(await codes("done")).toEqual(["ok", "verified"]);
    expect(await codes("steps")).toEqual(["need_input", "step_outcome_unknown"]);
    expect(await codes("queued")).toEqual(["need_input", "parked"]);
    expect(await codes("untaught")).toEqual(["need_input", "sop_unknown"]);
    expect(await codes("asking")).toEqual(["blocked", "approval_expired"]);
    expect((await restored.call("list_approvals", { status: "pending" })).approvals).toEqual([]);
    const { schedule } = await restored.call("get_schedule", { name: "web" });
    expect(schedule).toMatchObject({ status: "paused", open_due: null, next_due: null, last_task_id: null, missed: 0 });
    expect((await restored.call("list_freezes", {})).freezes).toMatchObject([{ reason: "a holiday" }]);
    expect((await restored.call("list_servers", {})).last_backup_at).toBe(`${last.taken_at.slice(0, 19)}.000Z`);

    await restored.call("resolve_step", { task_id: "steps", resolution: "failed", index: 0 });
    expect((await restored.outcomeOf("steps")).status).toBe("failed");
    expect(engine.linesOf("steps.begun"), "nothing ran a second time").toHaveLength(1);
    expect([...engine.linesOf("after"), ...engine.linesOf("approved")]).toEqual([]);
    await restored.call("resolve_step", { task_id: "queued", resolution: "retry" });
    while (engine.linesOf("steps.begun").length < 2) await sleep(10);
    engine.letGo("steps");
    expect((await restored.outcomeOf("queued")).status).toBe("ok");
    await restored.call("teach", { task_id: "untaught", steps: [check("test -d /")] });
    expect((await restored.outcomeOf("untaught")).status).toBe("ok");
    const bundles = ["done", "steps", "queued", "asking", "untaught"].map((task_id) =>
      restored.call("get_evidence", { task_id }),
    );
    for (const bundle of await Promise.all(bundles)) expect(verifyBundle(bundle).faults).toEqual([]);
    const { journal } = await restored.call("get_evidence", { task_id: "asking" });
    const kinds = journal.map(({ kind }: { kind: string }) => kind);
    expect(kinds.slice(-3)).toEqual(["restored", "approval_decided", "reported"]);
  },
);
