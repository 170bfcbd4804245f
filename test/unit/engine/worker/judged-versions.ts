// A store in memory with versions, tasks that ran them and what was found of these, and what judges the versions by it.
import type { Change } from "../../../../src/domain/change.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import type { Procedure, Sop } from "../../../../src/domain/sop.ts";
import type { Verdict } from "../../../../src/domain/verification.ts";
import { activation } from "../../../../src/engine/tasks/sop-versions.ts";
import { accept } from "../../../../src/engine/tasks/transitions.ts";
import { createDemotions } from "../../../../src/engine/worker/demotions.ts";
import { createScoreKeeper } from "../../../../src/engine/worker/score-keeper.ts";
import type { Store } from "../../../../src/ports.ts";
import { aContract } from "../../../support/builders.ts";
import { memoryStore } from "../../../support/memory-store.ts";
import { aSop as anSop } from "../tasks/a-sop.ts";

export const id = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, "0")}`;
export const ID = id(3);
const START = Date.parse("2026-03-06T09:00:00.000Z");

/** Version 3, in use. */
export const versionInUse = (over: Partial<Sop> = {}) => anSop({ sop_id: ID, ...over });

type Mode = "off" | "tell" | "set_back";

type Options = {
  readonly mode?: Mode;
  readonly over?: (store: Store) => Partial<Store>;
};

export function judgedVersions({ mode = "set_back", over = () => ({}) }: Options = {}) {
  let at = START;
  let ids = 100;
  const clock = () => {
    at += 1_000;
    return new Date(at);
  };
  const memory = memoryStore(clock);
  const store = { ...memory, ...over(memory) };
  const dispatched: string[] = [];
  const deleted: string[] = [];
  const logged: unknown[] = [];
  const log = { error: (...entry: unknown[]) => void logged.push(entry) };
  const demotions = createDemotions({
    store,
    clock,
    new_id: () => id(++ids),
    approval_ttl_ms: 3_600_000,
    mode,
    log,
    promotions: { dispatch: (sop_id, { kind }) => void dispatched.push(`${kind} ${sop_id}`) },
    checkpoints: { deleteThread: async (thread_id) => void deleted.push(thread_id) },
  });
  const keeper = createScoreKeeper({
    store: memory,
    brokenIn: () => [],
    timer: () => () => undefined,
    now: () => at,
    log,
    onCaughtUp: demotions.look,
  });
  const look = () => keeper.catchUp(60_000);
  const write = async (thread_id: string, events: readonly NewEvent[], changes: readonly Change[] = []) => {
    const result = await memory.commit({ thread_id, after: "last", events, changes });
    if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.conflict)}`);
  };
  const stored = async (...sops: Sop[]) => {
    for (const sop of sops) await write("s", [], [{ on: "sop_created", sop }]);
  };

  /** A task that ran the version, and how it ended. */
  async function ran(task_id: string, passed: boolean, { sop_id = ID, intent = "deploy" } = {}): Promise<void> {
    const contract = aContract({ task_id, intent });
    const accepted = accept({ contract, backend: "local", at: clock().toISOString() });
    await write(task_id, accepted.events, accepted.changes);
    const reason_code = passed ? "verified" : "step_failed";
    const verdict: Verdict = { passed, reason_code, step_index: null, checks: [], uncovered_criteria: [] };
    const { steps, criteria, safety_level, preconditions } = versionInUse();
    const procedure: Procedure = { sop_id, sop_version: 3, steps, criteria, safety_level, preconditions };
    const ended = outcome(passed ? "ok" : "failed", reason_code, "It ended.", { thread_id: task_id });
    const set = { status: ended.status, outcome: ended, ended_at: clock().toISOString(), sop_id } as const;
    await write(
      task_id,
      [
        { kind: "sop_pinned", body: procedure },
        { kind: "verdict_reached", body: verdict },
        { kind: "reported", body: ended },
      ],
      [{ on: "task", task_id, expect: { status: ["accepted"] }, set } as Change],
    );
  }
  async function found(task_id: string, verified: boolean): Promise<void> {
    const body = { verified, source: "the page", note: null };
    const verification = { ...body, recorded_at: clock().toISOString() };
    await write(
      task_id,
      [{ kind: "verification_recorded", body }],
      [{ on: "task", task_id, expect: { status: ["ok", "failed"] }, set: { verification } }],
    );
  }
  const sop = async (sop_id = ID): Promise<Sop> => {
    const one = await memory.findSop(sop_id);
    if (one === null) throw new Error("it is stored");
    return one;
  };
  const pending = () => memory.listApprovals({ status: "pending", limit: 100 });
  /** As the promotion does when a human approves. */
  async function approved(sop_id = ID): Promise<void> {
    const [asked] = await pending();
    if (asked === undefined) throw new Error("an approval waits");
    const { events, changes } = await activation(memory, await sop(sop_id), { at: clock().toISOString() });
    const decided: Change = { on: "approval", approval_id: asked.approval_id, set: { status: "approved" } };
    await write(asked.thread_id, events, [decided, ...changes]);
  }
  const saidOf = async (sop_id = ID): Promise<string[]> => {
    const found = await memory.readMessages(0, 500);
    return found.flatMap(({ event }) =>
      (event.kind === "sop_set_back" || event.kind === "sop_failing") && event.body.sop_id === sop_id
        ? [`${event.kind}: ${event.body.message}`]
        : [],
    );
  };
  return {
    store: memory,
    write,
    stored,
    ran,
    found,
    look,
    sop,
    pending,
    approved,
    saidOf,
    dispatched,
    deleted,
    logged,
  };
}

/** Version 3 in use, whose one run was found wrong outside of orch, once it has been looked at. */
export async function refuted(options: Options = {}) {
  const versions = judgedVersions(options);
  await versions.stored(versionInUse());
  await versions.ran("t-1", true);
  await versions.found("t-1", false);
  await versions.look();
  return versions;
}
