// Holds back a dispatched task that may not start (D-320): it is set aside before its claim, or its claim is given back.
// It is dispatched again when something is thawed, in the order of acceptance, and by every look at unfinished tasks (D-222). The start
// of its first step is guarded as well: a hold may come between claim and start.
import { signatureOf } from "../../domain/contract.ts";
import { OrchError } from "../../domain/errors.ts";
import { type HeldBy, heldText, type StartableTask, type TaskHolds } from "../../domain/hold.ts";
import type { NewEvent } from "../../domain/journal.ts";
import type { Task } from "../../domain/task.ts";
import type { Commit, CommitResult, Store } from "../../ports.ts";
import { hasStarted } from "../tasks/progress.ts";
import { type Projection, projection } from "../tasks/projection.ts";
import { everyPage, isUnfinished, UNFINISHED } from "./recovery.ts";

type HoldBackDeps = {
  readonly store: Pick<Store, "commit" | "findTask" | "readJournal">;
  readonly task_holds: Pick<TaskHolds, "holdOn">;
  readonly owner: string;
};

export type HoldBack = {
  /** Null where the task is held and nothing of it has begun: it has no target then. */
  readonly around: <T>(
    task: Pick<Task, "task_id" | "intent" | "target_signature">,
    run: () => Promise<T>,
  ) => Promise<T | null>;
  /** Whether it is held, as its row shows: it is not looked at again. */
  readonly keeps: (task: Pick<Task, "status" | "intent" | "target_signature">) => boolean;
};

export function createHoldBack({ store, task_holds, owner }: HoldBackDeps): HoldBack {
  /** Nothing is read while nothing is frozen. */
  const isHeld = async (task: StartableTask & Pick<Task, "task_id">): Promise<boolean> => {
    if (task_holds.holdOn(task) === null) return false;
    const state = projection(await store.readJournal(task.task_id));
    // Asked again: it may have been thawed meanwhile, and then nothing would dispatch the task.
    return !hasStarted(state) && task_holds.holdOn(task) !== null;
  };

  async function giveBackClaim(task_id: string, held_by: HeldBy): Promise<void> {
    const after = (await store.readJournal(task_id)).at(-1) ?? null;
    // A claim that was refused with the first step was never written.
    if ((await store.findTask(task_id))?.owner !== owner) return;
    await store.commit({ thread_id: task_id, after, ...giveBack(task_id, held_by) });
  }

  return {
    around: async (task, run) => {
      if (await isHeld(task)) return null;
      try {
        return await run();
      } catch (error) {
        const held_by = heldBackBy(error);
        if (held_by === null) throw error;
        await giveBackClaim(task.task_id, held_by);
        return null;
      }
    },
    keeps: (task) => task.status === "accepted" && task_holds.holdOn(task) !== null,
  };
}

/** Does not hold where another server has claimed it, or it has ended or paused. */
const giveBack = (task_id: string, held_by: HeldBy): Pick<Commit, "events" | "changes"> => ({
  events: [{ kind: "held_back", body: held_by }],
  changes: [
    { on: "task", task_id, expect: { status: ["running"] }, set: { owner: null, lease_expires_at: null } },
    { on: "target_freed", task_id },
  ],
});

type ReleaseDeps = {
  readonly store: Pick<Store, "listTaskColumns" | "findTask">;
  readonly task_holds: Pick<TaskHolds, "holdOn">;
  readonly reclaim: (task: Task) => Promise<void>;
};

/** Dispatches what is not held any more, the oldest first. What cannot be read is found by the next look. */
export async function releaseHeld({ store, task_holds, reclaim }: ReleaseDeps): Promise<void> {
  const columns = await everyPage(
    (page) => store.listTaskColumns({ ...page, status: UNFINISHED }),
    ({ task_id }) => task_id,
  );
  for (const task of columns) {
    if (task_holds.holdOn(task) !== null) continue;
    const found = await store.findTask(task.task_id).catch(() => null);
    if (found !== null && isUnfinished(found)) await reclaim(found);
  }
}

/** A hold was made, and the next, and the next, each between a look and a commit. */
const TRIES = 20;

type StartGuard = (state: Projection, given: Commit) => Promise<CommitResult>;

export const unlessHeld =
  (task_holds: Pick<TaskHolds, "look" | "holdOn" | "passing">, commit: Store["commit"]): StartGuard =>
  async (state, given) => {
    const task = frozenOf(state);
    if (task === null || hasStarted(state) || !given.events.some(isBeginning)) return commit(given);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const held_by = task_holds.holdOn(task);
      if (held_by !== null) throw heldBack(held_by);
      const result = await commit({ ...given, unless_frozen: task_holds.passing(task) });
      if (result.ok || result.conflict !== "held") return result;
      await task_holds.look();
    }
    throw new OrchError("busy", "what holds tasks changes all the time");
  };

/** A step of a skill that only reads may come before: its start is not durable, and it changes nothing. */
function isBeginning({ kind, body }: NewEvent): boolean {
  if (kind === "skill_step_started") return body.repeatable !== true;
  return kind === "taken_up" || kind === "step_started";
}

const heldBack = (held_by: HeldBy): OrchError =>
  new OrchError("held_by_freeze", `the task is ${heldText(held_by)}`, { current: held_by });

export const heldBackBy = (error: unknown): HeldBy | null =>
  error instanceof OrchError && error.code === "held_by_freeze" ? (error.current as HeldBy) : null;

/** Null on a thread of no task, which takes no step. */
function frozenOf({ accepted }: Projection): StartableTask | null {
  if (accepted === null) return null;
  const { contract } = accepted;
  return { intent: contract.intent, target_signature: signatureOf(contract) };
}
