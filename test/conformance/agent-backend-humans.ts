// What an agent backend does where a human or the contract says what it may: it asks before it acts, receives
// the decision, and uses nothing that its scope does not name.
import { describe, expect, test } from "vitest";
import { type AgentWorld, check, done, run, scope } from "../support/agent-engine.ts";
import * as model from "../support/agent-model.ts";
import type { Engine } from "../support/engine.ts";
import { evidenceFaults } from "../support/promoted-version.ts";
import { type Suite, toldIn, write, written } from "./agent-backend-trial.ts";

/** What needs a human: the same for every backend. */
export function agentHumansSuite(name: string, { open, submit, agent_backend }: Suite): void {
  const asking = { constraints: { ...scope("shell"), require_approval_for: ["anything"] }, success_criteria: [] };

  describe(`agent backend ${name} and a human`, () => {
    const script: model.Script = [model.calls(write("one"), write("two")), model.calls(written), done()];

    async function asked(world: AgentWorld, engine: Engine) {
      const view = await submit(engine, world, asking);
      expect(view).toMatchObject({ status: "need_approval", outcome: { reason_code: "approval_required" } });
      return await engine.approvalOf("task");
    }

    test("pauses before the first of the calls that need an approval, shows them all, and goes on when they have it [5.policy.approval]", async () => {
      await using world = await open(script);
      await using engine = await world.open();
      const first = await asked(world, engine);
      expect(first.kind).toBe("agent");
      expect(first.content.calls).toMatchObject([
        { index: 0, step: { kind: "cmd", value: "echo one >> made" } },
        { index: 1, step: { kind: "cmd", value: "echo two >> made" } },
      ]);
      expect(await world.lines("made")).toEqual([]);
      const approve = async (approval_id: string) =>
        (await engine.call("approve", { approval_id, decision: "approve", wait_seconds: 20 })).task.status;
      expect(await approve(first.approval_id)).toBe("need_approval");
      expect(await world.lines("made")).toEqual(["one", "two"]);
      expect(await approve((await engine.approvalOf("task")).approval_id)).toBe("ok");
      expect(await evidenceFaults(engine, "task")).toEqual([]);
    });

    test("is shown the whole reply: a call that needs no approval may write what the approved one runs [5.policy.approval]", async () => {
      const plain = run("echo 'echo other >> made' > x.sh");
      const dynamic = run('bash -c "$(cat "$(printf %s x).sh" "$(date +%s)" || true)"; echo two >> made');
      await using world = await open([model.calls(plain, dynamic), done()]);
      await using engine = await world.open();
      const view = await submit(engine, world, { constraints: scope("shell"), success_criteria: [] });
      expect(view.status).toBe("need_approval");
      const { approval_id, content } = await engine.approvalOf("task");
      expect(content.calls).toMatchObject([{ index: 0 }, { index: 1 }]);
      const found = content.findings.map(({ step_index }: { step_index: number }) => step_index);
      expect([...new Set(found)]).toEqual([1]);
      expect(await world.lines("made")).toEqual([]);
      await engine.call("approve", { approval_id, decision: "approve", wait_seconds: 20 });
      expect(await world.lines("made")).toEqual(["other", "two"]);
      expect(await evidenceFaults(engine, "task")).toEqual([]);
    });

    test("receives a rejection with its reason, and goes on without these calls", async () => {
      await using world = await open([model.calls(write("one")), model.says("Then I stop here."), done()]);
      await using engine = await world.open();
      const { approval_id } = await asked(world, engine);
      const rejected = { approval_id, decision: "reject", reason: "not on a Friday", wait_seconds: 20 };
      const { task } = await engine.call("approve", rejected);
      expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "nothing_verified" } });
      expect(toldIn(world.model.asked)[0]).toMatchObject({ call: 0, rejected_by_a_human: "not on a Friday" });
      expect(await world.lines("made")).toEqual([]);
      expect(await evidenceFaults(engine, "task")).toEqual([]);
    });

    test("waits over a restart, and asks the model nothing twice", async () => {
      await using world = await open(script);
      const { approval_id } = await (async () => {
        await using engine = await world.open();
        return await asked(world, engine);
      })();
      await using engine = await world.open();
      const { task } = await engine.call("approve", { approval_id, decision: "approve", wait_seconds: 20 });
      expect(task.status).toBe("need_approval");
      expect(await world.lines("made")).toEqual(["one", "two"]);
      expect(world.model.asked).toHaveLength(2);
    });

    test("is cancelled while it waits", async () => {
      await using world = await open(script);
      await using engine = await world.open();
      await asked(world, engine);
      const cancelled = await engine.call("cancel_task", { task_id: "task" });
      expect(cancelled.status).toBe("cancelled");
      expect(await world.lines("made")).toEqual([]);
    });
  });

  test(`agent backend ${name} asks the model again when its server stops while it thinks`, async () => {
    const thinking: model.Script = (_request, turn) =>
      turn === 1 ? model.isSilent : turn === 2 ? model.calls(write("one"), written) : done();
    await using world = await open(thinking, { ORCH_DRAIN_SECONDS: "3600" });
    await using first = await world.open();
    await first.call("submit_task", world.contract({ agent_backend }));
    while (world.model.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await first.shutDown();
    await using second = await world.open();
    expect(await second.outcomeOf("task")).toMatchObject({ status: "ok" });
    expect(world.model.asked).toHaveLength(3);
    expect(await world.lines("made")).toEqual(["one"]);
  });

  test(`agent backend ${name} is cancelled in the middle of a command, which is killed`, async () => {
    await using world = await open([model.calls(run("echo begun >> made; sleep 30; echo late >> made"))]);
    await using engine = await world.open();
    const submitted = submit(engine, world);
    while ((await world.lines("made")).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await engine.call("cancel_task", { task_id: "task" });
    expect(await submitted).toMatchObject({ status: "cancelled" });
    expect(await world.lines("made")).toEqual(["begun"]);
  });
}

/** What a contract lets it use. */
export function agentScopeSuite(name: string, { open, submit }: Suite): void {
  describe(`agent backend ${name} and its scope`, () => {
    test("without `shell` in scope has no shell, and a call of it is refused", async () => {
      const writes = ["one", "two", "three"].map((word) => model.calls(write(word)));
      await using world = await open((_request, turn) => writes[turn - 1] ?? done(), {
        MCP_WIKI_URL: "http://127.0.0.1:1/mcp",
      });
      await using engine = await world.open();
      const view = await submit(engine, world, { constraints: scope("wiki") });
      expect(view).toMatchObject({ status: "blocked", outcome: { reason_code: "agent_refused" } });
      expect(await world.lines("made")).toEqual([]);
      const { agent_calls, journal } = await engine.call("get_evidence", { task_id: "task" });
      expect(agent_calls[0]).toMatchObject({ state: "refused", reason: expect.stringContaining("implicit_scope") });
      const equipped = journal.find(({ kind }: { kind: string }) => kind === "agent_equipped");
      expect(equipped.body).toMatchObject({ tools: ["finish"], missing: [expect.stringContaining("wiki:")] });
    });

    test("with programs in scope runs no other", async () => {
      await using world = await open([model.calls(run("cp made other")), model.calls(write("one"), written), done()]);
      await using engine = await world.open();
      const view = await submit(engine, world, { constraints: scope("shell", "cmd:test", "cmd:echo") });
      expect(view.status).toBe("ok");
      expect(toldIn(world.model.asked)[0]).toMatchObject({ refused: expect.stringContaining("program cp") });
    });

    test("with an intent that only looks changes nothing [2.triage.diagnostic]", async () => {
      await using world = await open([model.calls(write("one")), model.calls(check("test -d .")), done()]);
      await using engine = await world.open();
      const view = await submit(engine, world, { intent: "triage" });
      expect(view.status).toBe("ok");
      expect(toldIn(world.model.asked)[0]).toMatchObject({ refused: expect.stringContaining("only looks") });
      expect(await world.lines("made")).toEqual([]);
    });
  });
}
