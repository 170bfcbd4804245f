// Answers freeze, thaw and list_freezes. A freeze is one commit, from which on no task that it holds takes its first step (D-319, D-320).

import type { z } from "zod";
import type { OperationDeps } from "../../api/operations/deps.ts";
import {
  type Caller,
  type HandlersOf,
  invalidInput,
  leftOut,
  nameOf,
  type OperationHandler,
} from "../../api/operations/operation.ts";
import { unknownIntent } from "../../api/operations/submit-task.ts";
import { hasBegun } from "../../api/operations/task-view.ts";
import { READ_ONLY_INTENTS, targetSignature } from "../../domain/contract.ts";
import { isQuarantined, OrchError, wordsOf } from "../../domain/errors.ts";
import { freezeThread } from "../../domain/hold.ts";
import type { EventBody } from "../../domain/journal.ts";
import type { TaskColumns } from "../../domain/task.ts";
import { everyPage, type Page } from "../../engine/worker/recovery.ts";
import type { Commit } from "../../ports.ts";
import { type Freeze, type FreezeRequest, type FreezeScope, holds, isSameFreeze } from "./freeze.ts";
import type * as shapes from "./shapes.ts";

/** So many can be shown, and expected by one commit. */
const MOST_OPEN = 200;

const handleFreeze: OperationHandler<typeof shapes.freeze> =
  (deps) =>
  async ({ intent = null, target, now, ...given }, caller) => {
    const target_signature = target === undefined ? null : targetSignature(target);
    const asked = { intent, target_signature, ...given };
    refuse(deps, asked);
    const { freeze, created } = await opened(deps, asked, nameOf(caller));
    await deps.task_holds.look();
    const tasks = await frozenTasks(deps, freeze, ["running"]);
    const paused = idsIn(await frozenTasks(deps, freeze, ["need_input", "need_approval"]));
    if (!now) return { freeze, created, cancelled: [], running: idsIn(tasks), paused };
    return { freeze, created, cancelled: await stopFrozen(deps, { freeze, tasks, caller }), running: [], paused };
  };

const idsIn = (tasks: readonly { readonly task_id: string }[]): string[] => tasks.map(({ task_id }) => task_id);

function refuse({ intents }: OperationDeps, { intent, except_diagnostics }: FreezeRequest): void {
  if (intent !== null && !intents.has(intent))
    throw invalidInput({ name: "freeze" }, [{ path: "intent", message: unknownIntent(intents) }]);
  if (intent === null || !except_diagnostics || !READ_ONLY_INTENTS.has(intent)) return;
  const message = `would leave nothing to freeze: ${intent} is a diagnostic intent; leave it out`;
  throw invalidInput({ name: "freeze" }, [{ path: "except_diagnostics", message }]);
}

/** The same freeze again is the same freeze: the answer to the first may have been lost. */
async function opened(deps: OperationDeps, asked: FreezeRequest, frozen_by: string) {
  const { store, clock, new_id } = deps;
  for (;;) {
    const { freezes } = await store.openFreezes();
    const known = freezes.find((one) => isSameFreeze(one, asked));
    if (known !== undefined) return { freeze: known, created: false };
    if (freezes.length >= MOST_OPEN)
      throw new OrchError("freeze_limit", `There may be ${MOST_OPEN} open freezes; thaw one, or freeze more at once.`);
    const freeze: Freeze = {
      freeze_id: `freeze-${new_id().slice(0, 8)}`,
      ...asked,
      frozen_by,
      created_at: clock().toISOString(),
      thawed_by: null,
      thawed_at: null,
    };
    // Another call may have made the same one meanwhile, or the id is taken.
    if ((await store.commit(openFreeze(freeze))).ok) return { freeze, created: true };
  }
}

const handleThaw: OperationHandler<typeof shapes.thaw> =
  (deps) =>
  async ({ freeze_id, all }, caller) => {
    if ((freeze_id === undefined) !== all)
      throw invalidInput({ name: "thaw" }, [
        { path: "freeze_id", message: "or all: true must be given, and not both" },
      ]);
    const ids = freeze_id === undefined ? await openIds(deps) : [freeze_id];
    const ended = [];
    for (const id of ids) ended.push(await thawed(deps, id, nameOf(caller)));
    await deps.task_holds.look();
    return {
      thawed: ended.filter(({ now }) => now).map(({ freeze }) => freeze),
      thawed_before: ended.filter(({ now }) => !now).map(({ freeze }) => freeze),
      still_held_by: [...deps.task_holds.inForce()],
    };
  };

async function openIds({ store }: OperationDeps): Promise<string[]> {
  const { freezes, unreadable } = await store.openFreezes();
  return [...freezes.map((freeze) => freeze.freeze_id), ...unreadable];
}

async function thawed(deps: OperationDeps, freeze_id: string, thawed_by: string) {
  const before = await found(deps, freeze_id);
  const commit = { freeze_id, thawed_by, at: deps.clock().toISOString() };
  const damaged = before === DAMAGED ? await recorded(deps, freeze_id) : undefined;
  const now = (await deps.store.commit(thawFreeze(commit, damaged))).ok;
  const freeze = await found(deps, freeze_id);
  if (freeze !== DAMAGED) return { freeze, now };
  throw new OrchError("quarantined", `freeze ${freeze_id} in the database cannot be read`);
}

const DAMAGED = "damaged" as const;

async function found({ store }: OperationDeps, freeze_id: string): Promise<Freeze | typeof DAMAGED> {
  const freeze = await store.findFreeze(freeze_id).catch((error: unknown) => {
    if (isQuarantined(error)) return DAMAGED;
    throw error;
  });
  if (freeze === null) throw new OrchError("freeze_not_found", `There is no freeze ${freeze_id}.`);
  return freeze;
}

/** What its journal says of a freeze whose row cannot be read: an operator must be able to end it. */
async function recorded({ store }: OperationDeps, freeze_id: string) {
  const [first] = await store.readJournal(freezeThread(freeze_id));
  if (first?.kind !== "frozen") return undefined;
  return { ...first.body, created_at: first.at };
}

const handleListFreezes: OperationHandler<typeof shapes.listFreezes> = (deps) => async (query) => {
  await deps.task_holds.look();
  const freezes = await deps.store.listFreezes(query);
  const next_after = freezes.length === query.limit ? (freezes.at(-1)?.freeze_id ?? null) : null;
  return { in_force: [...deps.task_holds.inForce()], freezes, next_after, quarantined: leftOut(deps, "freeze") };
};

// freeze with now: what runs and is frozen is cancelled in the way of cancel_task, with the reason of the freeze.

type Stopped = z.infer<(typeof shapes.freeze)["output"]>["cancelled"][number];

type Begun = "running" | "need_input" | "need_approval";

/**
 * The tasks of a status that have begun and are frozen from now on: the others take no first step any more. One that waits for an
 * answer runs nothing, and goes on with it.
 */
async function frozenTasks(
  { store }: OperationDeps,
  freeze: FreezeScope,
  status: readonly Begun[],
): Promise<TaskColumns[]> {
  const read = (page: Page) => store.listTaskColumns({ status, ...page });
  const found: TaskColumns[] = [];
  for (const task of await everyPage(read, ({ task_id }) => task_id))
    if (holds(freeze, task) && (await hasBegun(store, task))) found.push(task);
  return found;
}

type Stop = { readonly freeze: Freeze; readonly tasks: readonly TaskColumns[]; readonly caller: Caller };

/** All at once: each step has seconds to end. One that cannot be cancelled does not keep the others running. */
const stopFrozen = (deps: OperationDeps, { freeze, tasks, caller }: Stop): Promise<Stopped[]> =>
  Promise.all(
    tasks.map(async ({ task_id, intent, target_signature }) => {
      const task = { task_id, intent, target_signature };
      const reason = `frozen (${freeze.freeze_id}): ${freeze.reason}`;
      try {
        const { status, message } = await deps.cancelTask({ task_id, reason }, caller);
        return { ...task, status, outcome: message ?? "It was asked to stop and has not ended yet." };
      } catch (error) {
        const status = await deps.store.findTask(task_id).then(
          (found) => found?.status ?? null,
          () => null,
        );
        return { ...task, status, outcome: wordsOf(error) };
      }
    }),
  );

export const FREEZE_HANDLERS: HandlersOf<typeof shapes.FREEZE_SHAPES> = {
  freeze: handleFreeze,
  thaw: handleThaw,
  list_freezes: handleListFreezes,
};

// Makes the changes in the life of a freeze: what one commit writes, the row and the event that records it, on the thread
// of the freeze.

/** Does not hold while the same freeze is open. */
export function openFreeze(freeze: Freeze): Commit {
  const { freeze_id, intent, target_signature, except_diagnostics, reason, frozen_by } = freeze;
  const body = { intent, target_signature, except_diagnostics, reason, frozen_by };
  return {
    thread_id: freezeThread(freeze_id),
    after: "last",
    events: [{ kind: "frozen", body }],
    changes: [{ on: "freeze_created", freeze }],
  };
}

type Thaw = Pick<Freeze, "freeze_id"> & { readonly thawed_by: string; readonly at: string };

/** What a freeze was, where its row cannot be read: its journal has it. */
type RecordedFreeze = EventBody<"frozen"> & Pick<Freeze, "created_at">;

/** Does not hold where it was thawed. `damaged` is what its journal has of it, where its row cannot be read. */
export const thawFreeze = ({ freeze_id, thawed_by, at }: Thaw, damaged?: RecordedFreeze): Commit => ({
  thread_id: freezeThread(freeze_id),
  after: "last",
  events: [{ kind: "thawed", body: { thawed_by } }],
  changes: [
    { on: "freeze_thawed", freeze_id, set: { thawed_by, thawed_at: at }, ...(damaged !== undefined && { damaged }) },
  ],
});
