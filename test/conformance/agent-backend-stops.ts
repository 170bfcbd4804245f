// What becomes of an agent run that is stopped after its commits: it goes on after the last call that
// has ended, a call that was cut off is asked about, and nothing is done twice.
import { describe, expect, test } from "vitest";
import { verifyBundle } from "../../src/engine/evidence/verify/bundle.ts";
import { type AgentWorld, check, done, openAgentWorld, run, scope } from "../support/agent-engine.ts";
import { calls, type Script } from "../support/agent-model.ts";
import { countCommits } from "../support/count-commits.ts";
import type { Engine } from "../support/engine.ts";
import type { AgentBackendUnderTest } from "./agent-backend-trial.ts";

const TURNS = [
  calls(run("echo one >> made; sleep 0.05; echo two >> made")),
  calls(run("echo three >> made"), check("grep -q three made")),
  done(["three lines", "test $(wc -l < made) = 3"]),
] as const;

/** By what it is shown and not by how often it was asked: a reply that was not recorded comes again. */
const script: Script = ({ messages }) => TURNS[messages.filter(({ role }) => role === "assistant").length] ?? TURNS[2];

/** ORCH_KILLS=all stops after every commit, otherwise after every tenth. */
const EVERY_POINT = process.env["ORCH_KILLS"] === "all";

const ENDED = new Set(["ok", "failed", "blocked", "cancelled"]);

/** A supervisor that looks for itself what a cut-off call has done, and approves every request. */
async function seeThrough(engine: Engine, world: AgentWorld) {
  while (!engine.isShut()) {
    const view = await engine.call("get_task", { task_id: "task", wait_seconds: 1 }).catch(() => null);
    // A wait may outlast the engine, and what it then shows is asked by the next one.
    if (engine.isShut()) break;
    if (view === null) await new Promise((resolve) => setTimeout(resolve, 5));
    else if (ENDED.has(view.status)) return view;
    else if (view.waiting?.kind === "approval") {
      const { approval_id } = view.waiting;
      await engine.call("approve", { approval_id, decision: "approve" }).catch(() => undefined);
    } else if (view.waiting?.kind === "resolution") await resolve(engine, world, view.waiting.index);
  }
  return new Promise<never>(() => undefined);
}

/**
 * The first call writes two lines: one that was cut off between them is mended by hand, as an operator would. A check is run
 * again: no answer replaces its exit code.
 */
async function resolve(engine: Engine, world: AgentWorld, index: number) {
  const lines = await world.lines("made");
  const wanted = [["one", "two"], ["three"]][index];
  const isDone = wanted?.every((line) => lines.includes(line)) === true;
  if (!isDone && lines.includes("one") && index === 0) await world.write("made", "");
  const resolution = isDone ? "succeeded" : "retry";
  await engine.call("resolve_step", { task_id: "task", index, resolution }).catch(() => undefined);
}

const WAYS = [
  ["runs freely", {}],
  ["asks a human", { constraints: { ...scope("shell"), require_approval_for: ["anything"] } }],
] as const;

export function agentStopsSuite(name: string, under: AgentBackendUnderTest, ways: readonly number[]): void {
  const openWorld = () =>
    openAgentWorld(script, {
      env: { ORCH_DRAIN_SECONDS: "0" },
      ...(under.agent_backends && { agent_backends: under.agent_backends }),
    });
  const contractIn = (world: AgentWorld, over: Record<string, unknown>) =>
    world.contract({ agent_backend: under.agent_backend, success_criteria: ["three lines"], ...over });

  async function trial(over: Record<string, unknown>, behind = 0) {
    await using world = await openWorld();
    await using first = await world.open();
    const stopped = Promise.withResolvers<void>();
    using commits = countCommits((count) => {
      if (count === behind) void first.shutDown().finally(stopped.resolve);
    });
    void first.call("submit_task", contractIn(world, over)).catch((error: unknown) => {
      if (!first.isShut()) throw error;
    });
    const early = await Promise.race([seeThrough(first, world), stopped.promise]);
    const counted = commits.count();
    await using second = early === undefined ? await world.open() : null;
    const engine = second ?? first;
    const view = early ?? (await seeThrough(engine, world));
    const evidence = await engine.call("get_evidence", { task_id: "task" });
    return { view, evidence, commits: counted, made: await world.lines("made") };
  }

  describe.each(WAYS.filter((_, way) => ways.includes(way)))(`agent backend ${name} that %s`, async (_how, over) => {
    const { view, commits, made } = await trial(over);

    test("ends ok", () => {
      expect(view).toMatchObject({ status: "ok" });
      expect(made).toEqual(["one", "two", "three"]);
    });

    const everyCommit = Array.from({ length: commits }, (_, index) => index + 1);
    const chosen = everyCommit.filter((commit) => EVERY_POINT || commit % 10 === 1);

    test.each(chosen)("ends as if it had not been stopped, though it is stopped after commit %i", async (commit) => {
      const after = await trial(over, commit);
      expect(after.view).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
      expect(after.made).toEqual(["one", "two", "three"]);
      expect(verifyBundle(JSON.parse(JSON.stringify(after.evidence))).faults).toEqual([]);
    });
  });
}
