// What every skill handler keeps: it ends its task in words, changes nothing
// before it may, and a task that is stopped or cancelled after any commit has changed nothing twice.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { verifyBundle } from "../../src/evidence/verify/bundle.ts";
import { contractBody } from "../support/builders.ts";
import { countCommits } from "../support/count-commits.ts";
import { type Engine, openEngine } from "../support/engine.ts";

type World = AsyncDisposable & {
  /** The settings of the server for it, such as MCP_NOTES_URL. */
  readonly env: Readonly<Record<string, string>>;
  /** What has been changed in it so far, in order; the same change twice is listed twice. */
  readonly changes: () => Promise<readonly string[]> | readonly string[];
};

export type HandlerUnderTest = {
  readonly openWorld: () => Promise<World>;
  /** A task that changes something and ends `ok`. */
  readonly contract: Readonly<Record<string, unknown>>;
  /** The code of that end. */
  readonly code: string;
  readonly asks: boolean;
  /** Whether it calls tools, and so needs a scope. */
  readonly calls: boolean;
  /** Payloads that it does not take, each with the field that is wrong. */
  readonly wrong: readonly (readonly [field: string, payload: object])[];
};

const ID = "task";

export function skillHandlerSuite(name: string, under: HandlerUnderTest): void {
  const contractOf = (over: Record<string, unknown> = {}) =>
    contractBody({ task_id: ID, target: {}, success_criteria: [], ...under.contract, ...over });

  /** A task in a world and a data directory of its own; `act` is called after that commit. */
  async function trial(how: How = {}) {
    await using world = await under.openWorld();
    const directory = await mkdtemp(join(tmpdir(), "orch-skill-"));
    try {
      const seen = await carryThrough(world, directory, contractOf(how.over), how);
      return { ...seen, changes: await world.changes() };
    } finally {
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    }
  }

  describe(`a skill handler: ${name}`, async () => {
    const { view, evidence, changes, commits } = await trial();

    test("ends its task, in words, with a code and evidence that holds together", () => {
      expect(view).toMatchObject({ status: "ok", outcome: { reason_code: "skill_done", skill_code: under.code } });
      expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
      expect(changes.length).toBeGreaterThan(0);
      expect(new Set(changes).size, "no change twice").toBe(changes.length);
    });

    test.runIf(under.asks)("changes nothing before it is approved, nor when it is not", async () => {
      const refused = await trial({ decision: "reject" });
      expect(refused.changes).toEqual([]);
      expect(refused.view).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_rejected" } });
    });

    test.runIf(under.calls)("is blocked outside its scope, with nothing changed", async () => {
      const outside = await trial({
        over: { constraints: { implicit_scope: ["elsewhere"], require_approval_for: [] } },
      });
      expect(outside.view).toMatchObject({ status: "blocked", outcome: { reason_code: "outside_scope" } });
      expect(outside.changes).toEqual([]);
    });

    test.each(under.wrong)("names %s where that is wrong, and changes nothing", async (field, payload) => {
      const wrong = await trial({ over: { payload } });
      expect(wrong.view).toMatchObject({ status: "blocked", outcome: { reason_code: "skill_blocked" } });
      expect(wrong.view.outcome.message).toContain(field);
      expect(wrong.changes).toEqual([]);
    });

    const everyCommit = Array.from({ length: commits }, (_, index) => index + 1);

    test.each(everyCommit)("that is stopped after commit %i ends as if it had not been", async (commit) => {
      const stopped = await trial({ behind: commit, act: "stop" });
      expect(stopped.view).toMatchObject({ status: "ok", outcome: { skill_code: under.code } });
      expect(stopped.changes.toSorted()).toEqual(changes.toSorted());
    });

    test.each(everyCommit)("that is cancelled after commit %i changes nothing more", async (commit) => {
      const cancelled = await trial({ behind: commit, act: "cancel" });
      expect(["cancelled", "ok"]).toContain(cancelled.view.status);
      expect(new Set(cancelled.changes).size).toBe(cancelled.changes.length);
      expect(cancelled.later, "changed after the task had ended").toEqual([]);
    });
  });
}

type How = {
  readonly over?: Record<string, unknown>;
  readonly decision?: "approve" | "reject";
  readonly behind?: number;
  readonly act?: "stop" | "cancel";
};

async function carryThrough(world: World, directory: string, contract: object, how: How) {
  const env = { ...world.env, ORCH_DRAIN_SECONDS: "0" };
  await using first = await openEngine({ env, directory });
  const acted = Promise.withResolvers<void>();
  const act = () => (how.act === "cancel" ? cancel(first) : first.shutDown()).finally(acted.resolve);
  using commits = countCommits((count) => {
    if (count === how.behind) void act();
  });
  // A server that stops does not answer: what became of the task shows when the next one recovers it.
  void first.call("submit_task", contract).catch((error: unknown) => {
    if (!first.isShut()) throw error;
  });
  const end = endOf(first, world, commits, how.decision);
  if (how.act !== "stop") return await end;
  const early = await Promise.race([end, acted.promise]);
  if (early !== undefined) return early;
  await using second = await openEngine({ env, directory });
  return await endOf(second, world, commits);
}

const ENDED = new Set(["ok", "failed", "blocked", "cancelled"]);

/** Answers every question until the task has ended; never comes when the server stops before. */
async function endOf(
  engine: Engine,
  world: World,
  commits: ReturnType<typeof countCommits>,
  decision: "approve" | "reject" = "approve",
) {
  while (!engine.isShut()) {
    const view = await engine.call("get_task", { task_id: ID, wait_seconds: 1 }).catch(() => null);
    // A wait may outlast the engine, and what it then shows is asked by the next one.
    if (engine.isShut()) break;
    if (view === null) await sleep(5);
    else if (ENDED.has(view.status)) {
      const [counted, before] = [commits.count(), await world.changes()];
      const evidence = await engine.call("get_evidence", { task_id: ID });
      await engine.shutDown();
      return { view, evidence, commits: counted, later: (await world.changes()).slice(before.length) };
    } else if (view.status === "need_input") {
      throw new Error(
        `nobody is there to say what became of a step: give ctx.step a third argument. ${view.outcome.message}`,
      );
    } else if (view.waiting?.kind === "approval") {
      const { approval_id } = view.waiting;
      await engine.call("approve", { approval_id, decision }).catch(() => undefined);
    }
  }
  return new Promise<never>(() => undefined);
}

const cancel = (engine: Engine) => engine.call("cancel_task", { task_id: ID }).catch(() => undefined);
